import { z } from 'zod';
import { METADATA_PAIRS_MAX } from '../../../base/limits.ts';
import type { Json } from '../../../providers/provider.ts';
import { InvalidRequest, invalidValue } from '../../../base/errors/invalidRequest.ts';

/** Parameters that several routes share, with the ranges OpenAI documents for them. */

// An unknown model id is compared with every id of the catalogue, so its length is bounded.
export const model = z.string().min(1).max(256).describe('Id or alias of a model, as listed by GET /models.');

export const temperature = z.number().min(0).max(2);
export const topP = z.number().min(0).max(1);
export const penalty = z.number().min(-2).max(2);
export const choices = z.int().min(1).max(128);
/** Any integer of 64 bits. */
export const seed = z
  .number()
  .multipleOf(1)
  .min(-(2 ** 63))
  .max(2 ** 63);
export const outputTokens = z.int().min(1);
export const topLogprobs = z.int().min(0).max(20);
export const stop = z.union([z.string(), z.array(z.string()).max(4)]);
export const logitBias = z.record(z.string(), z.number().min(-100).max(100));
export const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
export const verbosity = z.enum(['low', 'medium', 'high']);

export const functionName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
export const jsonSchema = z.record(z.string(), z.unknown()).describe('A JSON Schema.');

/** A member of OpenAI's API that this service does not support: only null is accepted. */
export const refused = z.null().optional();

/** A file of the workspace: the model gets the file itself, never the id. */
export const fileId = z
  .string()
  .nullish()
  .describe('Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL.');

const SPEECH = 'POST /v1/audio/speech speaks a text.';
const LEAVE_OUT = "Leave it out, or name it in the header 'x-ignored-parameters'.";

/** What to do in place of parameters that chats and responses refuse. */
export const INSTEAD = {
  audio: SPEECH,
  modalities: SPEECH,
  prediction: LEAVE_OUT,
  prompt_cache_key: LEAVE_OUT,
  web_search_options: "Offer a function of yours in 'tools' that searches.",
} as const;

/**
 * An object that is translated for the model, so an unlisted member would be lost: it is refused by name. Null members are ignored, since
 * clients send them for members without a value.
 */
export function closed<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.object(shape).catchall(refused);
}

// Streams are written here, so an option that is not listed would not be carried out.
export const streamOptions = closed({
  include_usage: z.boolean().nullish(),
  include_obfuscation: z.boolean().nullish(),
  continuous_usage_stats: z.literal(false).nullish().describe('Running usage is not supported.'),
});

export const metadata = z
  .record(z.string().max(64), z.string().max(512))
  .meta({ maxProperties: METADATA_PAIRS_MAX, description: 'Key-value pairs of your own.' });

/** The one rule of metadata that is not in its schema, because a refinement would disable the compiled check. */
export function refuseSurplusMetadata(pairs: Record<string, string> | undefined): void {
  if (pairs === undefined || Object.keys(pairs).length <= METADATA_PAIRS_MAX) return;
  throw new InvalidRequest(
    'object_above_max_properties',
    'metadata',
    `Invalid 'metadata': too many properties. Expected an object with at most ${METADATA_PAIRS_MAX} properties.`,
  );
}

/** Options of a feature that is off would be ignored silently; OpenAI refuses them too. */
export function refuseIdleStreamOptions(input: { stream?: boolean; stream_options?: unknown }): void {
  if (input.stream_options === undefined || input.stream === true) return;
  throw invalidValue('stream_options', "The 'stream_options' parameter is only allowed when 'stream' is enabled.");
}

/** What the platform needs to know of a valid text request; the rest reaches the model in `body`. */
export interface ParsedText {
  /** The model as the caller named it. */
  model: string;
  stream: boolean;
  /** Whether the caller of a stream requested usage in it. */
  includeUsage: boolean;
  /** The caller's parameters for the upstream, unchanged, without those sent as null. */
  body: Json;
  /** The most tokens one generated sequence may have, or null when the caller set no limit. */
  outputTokensMax: number | null;
  /** How many sequences the model generates (`n`, prompts times `n`, ...), each up to `outputTokensMax`. */
  choices: number;
  /** The parameter that has the conversation: `messages`, unless it is named here. */
  conversation?: 'messages' | 'input';
}
