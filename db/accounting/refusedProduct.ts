import type { PRODUCTS } from '../catalog/products.ts';

type Product = (typeof PRODUCTS)[number];

// The first that fits. Patterns mean the same to JavaScript and to the database.
const ROUTES: [pattern: string, product: Product][] = [
  ['/batches/', 'batch'],
  ['speech-to-speech', 'voice_conversion'],
  ['(audio/speech|text-to-speech)', 'speech'],
  ['(transcriptions|translations|speech-to-text)', 'transcription'],
  ['/realtime', 'realtime'],
  ['/embeddings$', 'embeddings'],
  ['/(completions|responses)', 'text'],
  ['^/(v1/runs|v1/mcp|a2a)', 'agents'],
];

/** The product that a refused call asked for, by its route; null where it asked for none. A refusal came before its model was known. */
export const refusedProductOf = (route: string): Product | null =>
  ROUTES.find(([pattern]) => new RegExp(pattern).test(route))?.[1] ?? null;

/** SQL: the same. */
export const refusedProductSql = (route: string): string =>
  `case ${ROUTES.map(([pattern, product]) => `when ${route} ~ '${pattern}' then '${product}'`).join(' ')} end`;
