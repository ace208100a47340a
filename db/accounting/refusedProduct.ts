import type { Product } from '../catalog/products.ts';

// The first that fits. Patterns mean the same to JavaScript and to the database.
const ROUTES: Record<Product, string> = {
  batch: '/batches/',
  voice_conversion: 'speech-to-speech',
  speech: '(audio/speech|text-to-speech)',
  transcription: '(transcriptions|translations|speech-to-text)',
  realtime: '/realtime',
  embeddings: '/embeddings$',
  text: '/(completions|responses)',
  agents: '^/(v1/runs|v1/mcp|a2a)',
};
const PATTERNS = Object.entries(ROUTES) as [Product, string][];

/** The product that a refused call asked for, by its route; null where it asked for none. A refusal came before its model was known. */
export const refusedProductOf = (route: string): Product | null =>
  PATTERNS.find(([, pattern]) => new RegExp(pattern).test(route))?.[0] ?? null;

/** SQL: the same. */
export const refusedProductSql = (route: string): string =>
  `case ${PATTERNS.map(([product, pattern]) => `when ${route} ~ '${pattern}' then '${product}'`).join(' ')} end`;
