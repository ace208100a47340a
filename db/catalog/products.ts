import type { ModelKind } from './catalogFile.ts';

/** The product of a call, by its model's kind. */
export const PRODUCT_OF_KIND = {
  text: 'text',
  embedding: 'embeddings',
  speech: 'speech',
  transcription: 'transcription',
  conversion: 'voice_conversion',
  realtime: 'realtime',
} as const satisfies Record<ModelKind, string>;

/** The products of calls, which the table of calls checks too. A line of a batch is a separate product, whatever its model. */
export const CALL_PRODUCTS = [...Object.values(PRODUCT_OF_KIND), 'batch'] as const;

export type CallProduct = (typeof CALL_PRODUCTS)[number];

/** The billed products: calls, and runs of agents. */
export const PRODUCTS = [...CALL_PRODUCTS, 'agents'] as const;

export type Product = (typeof PRODUCTS)[number];

/** What people call them. */
export const PRODUCT_NAMES = {
  text: 'Text',
  embeddings: 'Embeddings',
  speech: 'Speech',
  transcription: 'Transcription',
  voice_conversion: 'Voice conversion',
  realtime: 'Voice sessions',
  batch: 'Batches',
  agents: 'Agents',
} satisfies Record<Product, string>;
