import type { ProviderError } from '../provider.ts';
import type { Json } from '../provider.ts';
import { isObject } from '../../base/json.ts';

type Detail = NonNullable<ProviderError['detail']>;

export const POLICY_CODE = 'content_policy_violation';

/** Upstreams' names for a refusal of a request's content, case-insensitive. */
const POLICY_CODES = new Set([
  POLICY_CODE,
  'content_filter',
  'content_policy',
  'content_moderation',
  'moderation_blocked',
  'moderation_error',
  'responsibleaipolicyviolation',
  'invalid_prompt',
  'data_inspection_failed',
  'datainspectionfailed',
  'safety_violation',
  // ElevenLabs' words for texts, prompts and voices.
  'content_against_policy',
  'bad_prompt',
  'famous_voice_not_permitted',
]);

const POLICY_WORDS =
  /\bcontent (management )?polic|\busage polic|\b(text|prompt) .*\bviolated? our terms\b|\bsafety system\b|\binput was flagged\b|\b(requires|failed|blocked by) moderation\b/i;

export const CONTEXT_CODE = 'context_length_exceeded';

/** Upstreams' texts for a prompt that is too long: OpenAI, vLLM, llama.cpp, Anthropic, Gemini, Mistral, Cerebras. */
const CONTEXT_CODES = new Set([CONTEXT_CODE, 'context_window_exceeded', 'exceed_context_size_error']);
const CONTEXT_WORDS =
  /\b(maximum|model's) context (length|limit|window)\b|\bexceeds? (the |its )?(available |maximum )?context\b|\bcontext (length|window|limit) (is |was )?exceeded\b|\b(prompt|input) is too long\b|\btokens? exceeds? the (configured|maximum)\b|\bcurrent length is \d+ while limit is\b/i;
// These only repeat the status.
const VAGUE_CODES = new Set(['', '400', 'bad_request', 'invalid_request', 'invalid_request_error', 'invalid_value']);

/** Whether an error says that the prompt is longer than the model's context. */
export function isContextRefusal(detail: Detail | undefined): boolean {
  const names = [detail?.code, detail?.type].map((name) => (name ?? '').toLowerCase());
  if (names.some((name) => CONTEXT_CODES.has(name))) return true;
  return VAGUE_CODES.has(names[0]!) && CONTEXT_WORDS.test(detail?.message ?? '');
}

/** Upstreams' names for an account without money. */
const QUOTA_CODES = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'quota_exceeded',
  'insufficient_balance',
  'insufficient_credits',
  'insufficient_funds',
]);

/** Whether an error reports that the request's content violates the upstream's policy. */
export function isPolicyRefusal(status: number, detail: Detail | undefined, body: Json | undefined): boolean {
  if (status !== 400 && status !== 403 && status !== 422) return false;
  const names = [detail?.code, detail?.type].map((name) => String(name).toLowerCase());
  if (names.some((name) => POLICY_CODES.has(name))) return true;
  return wasFlagged(body) || POLICY_WORDS.test(detail?.message ?? '');
}

/** OpenRouter sends its moderation's reasons beside the error; Azure an inner code. */
function wasFlagged(body: Json | undefined): boolean {
  const error = isObject(body?.error) ? body.error : {};
  const metadata = isObject(error.metadata) ? error.metadata : {};
  const inner = isObject(error.innererror) ? String(error.innererror.code).toLowerCase() : '';
  return Array.isArray(metadata.reasons) || 'flagged_input' in metadata || POLICY_CODES.has(inner);
}

/** Whether an error concerns the platform's own account at the upstream: its key, its rights, or its money. */
export function isOwnAccount(status: number, detail: Detail | undefined): boolean {
  if ([401, 402, 403].includes(status)) return true;
  const names = [detail?.code, detail?.type].map((name) => String(name).toLowerCase());
  return status < 500 && names.some((name) => QUOTA_CODES.has(name));
}
