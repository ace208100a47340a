import type { ModelKind } from './catalogFile.ts';

/** What a call of each kind of model is sold as. */
export const PRODUCT_OF_KIND = {
  text: 'text',
  embedding: 'embeddings',
  speech: 'speech',
  transcription: 'transcription',
  conversion: 'voice_conversion',
  realtime: 'realtime',
} as const satisfies Record<ModelKind, string>;

/** The products of calls, which the table of calls checks too. A line of a batch is a product of its own, whatever its model. */
export const CALL_PRODUCTS = [...Object.values(PRODUCT_OF_KIND), 'batch'] as const;

export type CallProduct = (typeof CALL_PRODUCTS)[number];

/** The products that are billed: calls, and runs of agents. */
export const PRODUCTS = [...CALL_PRODUCTS, 'agents'] as const;
