import { createHash } from 'node:crypto';
import type { Json } from '../../providers/provider.ts';
import { countPromptTokens } from '../../providers/metering/tokens.ts';

const DIMENSIONS_DEFAULT = 8;

/** An embeddings answer: the same input always has the same unit vector. */
export async function embeddingsAnswer(body: Json): Promise<Json> {
  const dimensions = Number(body.dimensions ?? DIMENSIONS_DEFAULT);
  const tokens = await countPromptTokens(body);
  return {
    object: 'list',
    data: inputsOf(body.input).map((input, index) => ({
      object: 'embedding',
      index,
      embedding: encoded(vectorOf(JSON.stringify(input), dimensions), body.encoding_format === 'base64'),
    })),
    model: body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** A string or one list of token numbers is a single input. */
function inputsOf(input: unknown): unknown[] {
  return Array.isArray(input) && typeof input[0] !== 'number' ? input : [input];
}

function vectorOf(seed: string, dimensions: number): Float32Array {
  const raw = Array.from({ length: dimensions }, (_, index) => {
    const hash = createHash('sha256').update(`${index} ${seed}`).digest();
    return hash.readInt32LE(0) / 2 ** 31;
  });
  const length = Math.hypot(...raw);
  return Float32Array.from(raw, (value) => value / length);
}

function encoded(vector: Float32Array, asBase64: boolean): string | number[] {
  return asBase64 ? Buffer.from(vector.buffer).toString('base64') : [...vector];
}
