import type { RequestRow } from '../api/shapes.ts';

export type Product = NonNullable<RequestRow['product']>;

/** What statements and invoices call the products. */
const NAMES: Record<Product, string> = {
  text: 'Text',
  embeddings: 'Embeddings',
  speech: 'Speech',
  transcription: 'Transcription',
  voice_conversion: 'Voice conversion',
  realtime: 'Voice sessions',
  batch: 'Batches',
  agents: 'Agents',
};

export const PRODUCTS = Object.entries(NAMES).map(([value, label]) => ({ value: value as Product, label }));

/** The product of that name: the API refuses what is none. */
export const productOf = (name: string | undefined): Product | undefined =>
  PRODUCTS.find(({ value }) => value === name)?.value;

/** The name of a product for people. */
export const productName = (product: string): string =>
  PRODUCTS.find(({ value }) => value === product)?.label ?? product;
