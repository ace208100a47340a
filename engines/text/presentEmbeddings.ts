import type { EmbeddingInput } from '../../rules/protocol/schema.ts';

interface Shown {
  model: string;
  dimensions: number;
  promptTokens: number;
  format: EmbeddingInput['encoding_format'];
}

/** Vectors as OpenAI's API answers them: shortened to `dimensions`, and of length 1. */
export function presentEmbeddings(vectors: number[][], { model, dimensions, promptTokens, format }: Shown) {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encode(unitVector(vector.slice(0, dimensions)), format),
    })),
    model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

function unitVector(vector: number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function encode(vector: number[], format: EmbeddingInput['encoding_format']): number[] | string {
  if (format !== 'base64') return vector;
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes.toString('base64');
}
