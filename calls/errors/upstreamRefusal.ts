import type { ProviderError } from '../../providers/provider.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';

const MESSAGE_CHARS_MAX = 500;
const NAME = /^[\w.$[\]-]{1,100}$/;

/**
 * An upstream's refusal that the caller can fix: 400 with the first line of its message, without addresses, file paths or possible keys.
 */
export function upstreamRefusal({ detail = {} }: ProviderError): ApiError {
  const { message, param, code } = detail;
  if (code === 'content_policy_violation') return contentRefusal(plain(message));
  if (code === 'context_length_exceeded') return contextRefusal(plain(message), nameIn(param));
  return invalidRequest(nameIn(code) ?? 'invalid_value', plain(message) || REFUSED, nameIn(param));
}

/** A retry would be refused again. */
function contentRefusal(reason: string): ApiError {
  const message = `The model's provider refused this content. Change the request.${reason && ` The provider said: ${reason}`}`;
  const headers = { 'x-should-retry': 'false' };
  return new ApiError({ status: 400, code: 'content_policy_violation', message, headers });
}

// LiteLLM recognises a prompt that is too long only by these words, whatever the code.
const CONTEXT_WORDS = "This model's maximum context length is";

function contextRefusal(reason: string, param: string | null): ApiError {
  const isKnown = reason.toLowerCase().includes(CONTEXT_WORDS.toLowerCase());
  const ownMessage = `${CONTEXT_WORDS} exceeded by this request. Please shorten it.${reason && ` The provider said: ${reason}`}`;
  return invalidRequest('context_length_exceeded', isKnown ? reason : ownMessage, param);
}

const REFUSED = 'The model refused the request.';

const nameIn = (text: string | null | undefined): string | null => (text && NAME.test(text) ? text : null);

const PRIVATE: [what: RegExp, shown: string][] = [
  [/\b[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'<>)]+/gi, '[address]'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '[address]'],
  [/(?<![\w.])\/(?:app|etc|home|mnt|opt|root|srv|tmp|usr|var|workspace)\/[^\s"'<>)]*/gi, '[path]'],
  [/\b(?:[a-z]{2,10}[-_])?(?:live|proj|test)?[-_]?[A-Za-z\d]{32,}\b|\b(?:sk|ek|pk|key)[-_][\w-]{8,}/g, '[secret]'],
];

function plain(message = ''): string {
  const line = message
    .trimStart()
    .split(/[\r\n]/, 1)[0]!
    .slice(0, MESSAGE_CHARS_MAX);
  return PRIVATE.reduce((text, [what, shown]) => text.replaceAll(what, shown), line).trim();
}
