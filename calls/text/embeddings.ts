import { z } from 'zod';
import { TOKENS_BODY } from '../../base/limits.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import type { Json } from '../../providers/provider.ts';
import { estimatePromptTokens } from '../../providers/metering/tokens.ts';
import { findModel } from '../findModel.ts';
import type { TextEndpoint } from './order.ts';
import { cost, costOf, type BilledUsage } from './usage.ts';
import { tariffOf } from './tariff.ts';
import { refuseOversizedPrompt, type CallSize, type TextCall } from './textCall.ts';
import * as parameter from './parameters/parameters.ts';
import { bodyValidator } from './parameters/validateBody.ts';

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
interface ParsedEmbeddings {
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

/** `POST /embeddings`: a vector for each input. Bills input tokens alone. */
export const embeddings: TextEndpoint<ParsedEmbeddings> = {
  kind: 'embedding',
  limits: TOKENS_BODY,
  parse: parseEmbeddings,
  callOf: (size, { body }, model) => embeddingsCall(size, model, body),
  order(caller, services, { body, model: name, encodingFormat }) {
    const model = findModel(caller, services, name, 'embedding');
    refuseOversizedPrompt(model, body.input, 'input');
    return {
      call: embeddingsCall(caller, model, body),
      present: ({ reply, usage }) => presentEmbeddings(reply, { modelId: model.id, encodingFormat, usage }),
    };
  },
};

function embeddingsCall({ route, bodyBytes }: CallSize, model: Model, body: Json): TextCall {
  return {
    route,
    path: 'embeddings',
    model: tariffOf(model, 'embeddings', body),
    body,
    bodyBytes,
    estimatedPromptTokens: estimatePromptTokens(bodyBytes),
    outputTokensMax: 0,
    choices: 1,
  };
}

export const Embeddings = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z
        .union([z.array(z.number()), z.string()])
        .describe('Numbers, or with encoding_format base64 their little-endian 32-bit floats.'),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int(), cost }),
});

type Numbers = number[] | string;

/**
 * An upstream's embeddings in the requested form: a list of numbers, or base64 of little-endian 32-bit floats. The upstream may have
 * answered in either form.
 */
export function presentEmbeddings(
  reply: Json,
  answer: { modelId: string; encodingFormat: 'float' | 'base64'; usage: BilledUsage },
): z.infer<typeof Embeddings> {
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
    usage: {
      prompt_tokens: answer.usage.inputTokens,
      total_tokens: answer.usage.inputTokens,
      ...costOf(answer.usage),
    },
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
