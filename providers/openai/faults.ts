import type { IncomingHttpHeaders } from 'undici/types/header.d.ts';
import { ProviderError } from '../provider.ts';
import type { Json } from '../provider.ts';
import { isObject } from '../../base/json.ts';
import { positiveIn, retryAfterMsOf } from '../../base/retryAfter.ts';
import { CONTEXT_CODE, isContextRefusal, isOwnAccount, isPolicyRefusal, POLICY_CODE } from './policy.ts';

/** 4xx about the platform's own address or timing at the upstream, not the caller's request. */
const OWN_FAULTS = new Set([404, 405, 407, 408, 409, 425]);

/** The error for an unsuccessful answer. `text` is its body; it may be cut or not JSON. */
export function faultOfStatus(status: number, headers: IncomingHttpHeaders, text: string): ProviderError {
  return faultOfError(status, parsed(text), delayIn(headers));
}

function faultOfError(status: number, body: Json | undefined, retryAfterMs?: number): ProviderError {
  const message = `the upstream answered ${status}`;
  const detail = detailOf(body);
  if (isPolicyRefusal(status, detail, body))
    return new ProviderError('refused', message, { status: 400, detail: { ...detail, code: POLICY_CODE } });
  if (isOwnAccount(status, detail)) return new ProviderError('account', message, { status });
  if (status === 429 || status === 503) return new ProviderError('overloaded', message, { status, retryAfterMs });
  if (status < 400 || status >= 500 || OWN_FAULTS.has(status)) {
    return new ProviderError('failed', message, { status, retryAfterMs });
  }
  // Some proxies answer 413 for it.
  if (isContextRefusal(detail))
    return new ProviderError('refused', message, { status: 400, detail: { ...detail, code: CONTEXT_CODE } });
  return new ProviderError('refused', message, { status, detail });
}

/** The error for a call ended by the network, a timeout or a protocol error. */
export function faultOfTransport(error: unknown, answerStarted: boolean): ProviderError {
  if (error instanceof ProviderError) return error;
  const code = String((error as { code?: unknown }).code);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new ProviderError('stalled', 'the upstream sent nothing within the idle limit', { cause: error });
  }
  const broken = answerStarted || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW';
  if (broken) return new ProviderError('failed', `the upstream's answer broke off (${code})`, { cause: error });
  return new ProviderError('unreachable', `no answer from the upstream (${code})`, { cause: error });
}

/** The error for an answer that comes in pieces for too long. */
export const lateEnd = () => new ProviderError('stalled', 'the upstream did not send its whole answer in time');

/** Parses an answer or a frame as one JSON object. Throws `ProviderError` (failed) for anything else, error objects included. */
export function parsePayload(text: string): Json {
  const value = parsed(text);
  if (value === undefined) throw new ProviderError('failed', 'the upstream sent something that is not a JSON object');
  if (value.error) throw reportedFault(value);
  return value;
}

/** An error under status 200, as during a stream, or in a choice: some contain the status it would have had. */
export function reportedFault(value: Json): ProviderError {
  const detail = detailOf(value);
  const { code } = isObject(value.error) ? value.error : {};
  const status = Number.isInteger(code) ? (code as number) : 400;
  const known = faultOfError(status, value);
  // Without a status, it counts as the caller's or the account's error only if it says so.
  if (Number.isInteger(code) && status >= 400 && status < 600 && known.fault !== 'refused') return known;
  if (known.fault === 'account' || known.detail?.code === POLICY_CODE) return known;
  return new ProviderError('failed', 'the upstream reported an error', { detail });
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function detailOf(body: Json | undefined): ProviderError['detail'] {
  if (body?.detail) return vendorDetailOf(body.detail);
  if (typeof body?.error === 'string') return { message: textOf(body.error) };
  if (typeof body?.error !== 'object' || body.error === null) return undefined;
  const { message, param, code, type } = body.error as Json;
  return { message: textOf(message), param: textOf(param), code: textOf(code), type: textOf(type) };
}

/** ElevenLabs' errors: an object with a code, or FastAPI's issues; the first issue is used. */
function vendorDetailOf(detail: unknown): ProviderError['detail'] {
  if (Array.isArray(detail)) return { message: textOf((detail[0] as Json | undefined)?.msg) };
  const { status, message } = detail as Json;
  return { message: textOf(message), code: textOf(status) };
}

// An upstream may repeat the whole prompt in its message.
const TEXT_CHARS_MAX = 4_000;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, TEXT_CHARS_MAX) : undefined;
}

/** Milliseconds from `retry-after-ms`, else from `retry-after`. */
const delayIn = (headers: IncomingHttpHeaders): number | undefined =>
  positiveIn(headers['retry-after-ms']) ?? retryAfterMsOf(headers['retry-after']);
