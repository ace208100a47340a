import { z } from 'zod';
import type { Json } from '../../../providers/provider.ts';
import * as parameter from './parameters.ts';
import { bodyValidator } from './validateBody.ts';

const INPUTS_MAX = 2048;

const text = z.string().min(1);
const tokens = z.array(z.int().min(0)).min(1).max(INPUTS_MAX);
const input = z
  .union([text, z.array(text).min(1).max(INPUTS_MAX), tokens, z.array(tokens).min(1).max(INPUTS_MAX)])
  .describe('A text, texts, token numbers, or lists of token numbers.');

/** Body of `POST /embeddings`. A member that is not listed reaches the model unchanged. */
export const EmbeddingsInput = z.looseObject({
  model: parameter.model,
  input,
  dimensions: z.int().min(1).optional(),
  encoding_format: z.enum(['float', 'base64']).optional(),
  user: z.string().optional(),
});

/** A valid embeddings request: `body` goes to the upstream, `encodingFormat` is the format that the client wants. */
export interface ParsedEmbeddings {
  model: string;
  body: Json;
  encodingFormat: 'float' | 'base64';
}

const validate = bodyValidator(EmbeddingsInput, []);

/** Checks the body of `POST /embeddings`; throws `InvalidRequest`. */
export function parseEmbeddings(body: unknown): ParsedEmbeddings {
  const input = validate(body);
  return { model: input.model, body: input, encodingFormat: input.encoding_format ?? 'float' };
}
