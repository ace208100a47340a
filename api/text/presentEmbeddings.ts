import type { CreateEmbeddingResponse, Embedding } from 'openai/resources/embeddings';
import type { Json, Usage } from '../../providers/provider.ts';

type Numbers = number[] | string;
type Presented = Omit<CreateEmbeddingResponse, 'data'> & {
  data: (Omit<Embedding, 'embedding'> & { embedding: Numbers })[];
};

/**
 * An upstream's embeddings in the requested form: a list of numbers, or base64 of little-endian 32-bit floats. The upstream may have
 * answered in either form.
 */
export function presentEmbeddings(
  reply: Json,
  answer: { modelId: string; encodingFormat: 'float' | 'base64'; usage: Usage },
): Presented {
  const convert = answer.encodingFormat === 'base64' ? toBase64 : toFloats;
  const data = (reply.data ?? []) as { index?: number; embedding: Numbers }[];
  return {
    object: 'list',
    data: data.map(({ index, embedding }, position) => ({
      object: 'embedding',
      index: index ?? position,
      embedding: convert(embedding),
    })),
    model: answer.modelId,
    usage: { prompt_tokens: answer.usage.inputTokens, total_tokens: answer.usage.inputTokens },
  };
}

const FLOAT_BYTES = 4;

function toBase64(numbers: Numbers): string {
  if (typeof numbers === 'string') return numbers;
  const bytes = Buffer.allocUnsafe(numbers.length * FLOAT_BYTES);
  numbers.forEach((number, position) => bytes.writeFloatLE(number, position * FLOAT_BYTES));
  return bytes.toString('base64');
}

function toFloats(numbers: Numbers): number[] {
  if (typeof numbers !== 'string') return numbers;
  const bytes = Buffer.from(numbers, 'base64');
  return Array.from({ length: Math.floor(bytes.length / FLOAT_BYTES) }, (_, position) =>
    bytes.readFloatLE(position * FLOAT_BYTES),
  );
}
