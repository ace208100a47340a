import { z } from 'zod';
import { isObject } from '../../../base/json.ts';
import { usdAmount } from '../../body/usdAmount.ts';
import type { Json } from '../../../providers/provider.ts';
import { refuseUnstorable } from '../../../calls/text/parameters/refusal.ts';
import { strictBody } from '../../../calls/text/parameters/strictBody.ts';
import { ApiError } from '../../../base/errors/apiError.ts';
import { InvalidRequest } from '../../../base/errors/invalidRequest.ts';
import { parseSession, SessionInput } from '../session/sessionConfig.ts';

const SESSION_SECONDS_MAX = 3_600;
const DEFAULT_SECONDS = 600;

const ExpiresAfter = z.strictObject({
  anchor: z.literal('created_at').optional(),
  seconds: z.int().min(10).max(7_200).optional().describe(`Default: ${DEFAULT_SECONDS}.`),
});

/** What bounds the sessions of a secret; these three parameters are of this service. */
const BOUNDS = {
  max_session_seconds: z.int().min(10).max(SESSION_SECONDS_MAX).optional().describe('How long a session may last.'),
  spend_limit_usd: usdAmount
    .min(0.000001)
    .max(100_000)
    .optional()
    .describe('The most that all sessions of the secret may cost together.'),
  max_sessions: z.int().min(1).max(10_000).optional().describe('How many sessions it may open. Default: no limit.'),
} as const;

export const ClientSecretInput = z.strictObject({
  expires_after: ExpiresAfter.optional(),
  session: SessionInput.optional().describe('What its sessions are set to. Default: a realtime session.'),
  ...BOUNDS,
});

/** The session as the older route takes it: flat, with the names that the vendor had before. */
export const OlderSessionInput = z.strictObject({
  model: z.string().min(1).max(256).optional(),
  modalities: z.array(z.enum(['text', 'audio'])).optional(),
  instructions: z.unknown().optional(),
  voice: z.unknown().optional(),
  speed: z.unknown().optional(),
  input_audio_format: z.literal('pcm16').optional(),
  output_audio_format: z.literal('pcm16').optional(),
  input_audio_transcription: z.unknown().optional(),
  input_audio_noise_reduction: z.null().optional(),
  turn_detection: z.unknown().optional(),
  tools: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
  max_response_output_tokens: z.unknown().optional(),
  temperature: z.unknown().optional(),
  tracing: z.unknown().optional(),
  client_secret: z.strictObject({ expires_after: ExpiresAfter.optional() }).optional(),
  ...BOUNDS,
});

/** A valid order of a client secret. */
export interface SecretOrder {
  session: SessionInput | undefined;
  lifetimeSeconds: number;
  maxSessionSeconds: number | null;
  spendLimitUsd: number | null;
  sessionsMax: number | null;
}

/** Checks the body of `POST /realtime/client_secrets`; throws `InvalidRequest`. */
export function parseClientSecret(body: unknown): SecretOrder {
  const session = isObject(body) && body.session ? parseSession(body.session) : undefined;
  const sent = checked(ClientSecretInput, isObject(body) && session ? { ...body, session } : body);
  return { session: sent.session, ...boundsOf(sent, sent.expires_after) };
}

/** Checks the body of `POST /realtime/sessions`; throws `InvalidRequest`, whose `param` has the older name. */
export function parseOlderSession(body: unknown): SecretOrder {
  const sent = checked(OlderSessionInput, body);
  // Null switches it off, and what is missing keeps its default.
  const detection = (body as Json).turn_detection;
  const session = currentOf(sent, detection === undefined ? {} : { turn_detection: detection });
  try {
    return { session: parseSession(session), ...boundsOf(sent, sent.client_secret?.expires_after) };
  } catch (error) {
    throw inOlderNames(error);
  }
}

function checked<Schema extends z.ZodObject>(schema: Schema, body: unknown) {
  const sent = strictBody(schema)(body);
  refuseUnstorable(sent);
  return sent;
}

type Bounds = Partial<Pick<z.infer<typeof ClientSecretInput>, keyof typeof BOUNDS>>;

const boundsOf = (sent: Bounds, expiresAfter: z.infer<typeof ExpiresAfter> | undefined) => ({
  lifetimeSeconds: expiresAfter?.seconds ?? DEFAULT_SECONDS,
  maxSessionSeconds: sent.max_session_seconds ?? null,
  spendLimitUsd: sent.spend_limit_usd ?? null,
  sessionsMax: sent.max_sessions ?? null,
});

function currentOf(older: z.infer<typeof OlderSessionInput>, detection: object): object {
  const { modalities, voice, speed, input_audio_transcription: transcription } = older;
  return {
    type: 'realtime',
    model: older.model,
    instructions: older.instructions,
    temperature: older.temperature,
    output_modalities: modalities && [modalities.includes('audio') ? 'audio' : 'text'],
    max_output_tokens: older.max_response_output_tokens,
    tools: older.tools,
    tool_choice: older.tool_choice,
    audio: { input: { transcription, ...detection }, output: { voice, speed } },
  };
}

const OLDER_NAMES: [current: RegExp, older: string][] = [
  [/^session\.audio\.input\.transcription/, 'input_audio_transcription'],
  [/^session\.audio\.(?:input|output)\./, ''],
  [/^session\.max_output_tokens/, 'max_response_output_tokens'],
  [/^session\.output_modalities/, 'modalities'],
  [/^session\./, ''],
];

/** A refusal by the names of the older route; another error unchanged. */
export function inOlderNames(error: unknown): unknown {
  if (!(error instanceof InvalidRequest || error instanceof ApiError) || error.param === null) return error;
  const [current, older] = OLDER_NAMES.find(([pattern]) => pattern.test(error.param ?? '')) ?? [/^/, ''];
  const param = error.param.replace(current, older);
  const message = error.message.replace(error.param, param);
  if (error instanceof InvalidRequest) return new InvalidRequest(error.code, param, message);
  const { status, code, headers, cause } = error;
  return new ApiError({ status, code, headers, param, message, cause });
}
