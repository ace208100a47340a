import type { IncomingHttpHeaders } from 'node:http';
import { isWholeKey } from '../../db/keys/keySecret.ts';
import { invalidApiKey } from '../../base/errors/keyErrors.ts';
import type { ApiError } from '../../base/errors/apiError.ts';

/** Mistakes that show in the form of a key, in the order in which they are looked for. */
const MISTAKES: [form: RegExp, sentence: string][] = [
  [/^["'“”‘’`]|["'“”‘’`]$/u, 'it is in quotation marks. Send it without them.'],
  [/^bearer\b/i, 'it begins with the word Bearer, which the header or the client adds. Give the key alone.'],
  // As documents write keys: `sk_live_…`, `<API_KEY>`, `$API_KEY`, `{key}`.
  [/\.\.\.|…|^<.*>$|^\$\w|^\{.*\}$/u, 'this is a placeholder. Put a key of yours in its place.'],
  [/\s/, 'it has a space in it.'],
];

/** The error for a key that is unknown here. It names the mistake that the form of the key shows, and never the key. */
export const wrongKey = (headers: IncomingHttpHeaders, secret: string | undefined): ApiError =>
  invalidApiKey(secret === undefined ? mistakeOfHeaders(headers) : mistakeOfKey(secret));

function mistakeOfHeaders({ authorization, ...headers }: IncomingHttpHeaders): string | undefined {
  if (authorization === undefined) return undefined;
  if (!/^bearer /i.test(authorization)) return 'the header Authorization must be "Bearer <key>".';
  const hasOther = headers['x-api-key'] !== undefined || headers['xi-api-key'] !== undefined;
  return hasOther ? 'two headers have different keys. Send one of them.' : undefined;
}

function mistakeOfKey(secret: string): string | undefined {
  // Node reads headers as Latin-1; some programs send UTF-8.
  const text = Buffer.from(secret, 'latin1').toString();
  const found = MISTAKES.find(([form]) => form.test(text))?.[1];
  if (found !== undefined) return found;
  return /^sk_(?:live|test)_/.test(text) && !isWholeKey(text) ? 'it is mistyped, or not whole.' : undefined;
}
