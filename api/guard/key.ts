import type { IncomingHttpHeaders } from 'node:http';
import type { Key, Keys } from '../../db/keys.ts';
import { invalidApiKey } from '../errors/keyErrors.ts';
import type { Context, Guard } from '../context.ts';

/** Requires a live key, in any of the headers that clients use. Throws 401 `invalid_api_key`. */
export function key(keys: Keys): Guard {
  return (ctx, next) => {
    const secret = secretOf(ctx.req.headers);
    const found = secret === undefined ? null : keys.find(secret);
    return found instanceof Promise ? found.then((live) => admit(ctx, live, next)) : admit(ctx, found, next);
  };
}

/** Looks up a request's key without requiring one, so that answers of unknown URLs carry rate-limit headers too. */
export async function noteKey(ctx: Context, keys: Keys): Promise<void> {
  const secret = secretOf(ctx.req.headers);
  if (secret === undefined) return;
  try {
    const found = await keys.find(secret);
    if (found) ctx.state.key = found;
  } catch {
    // Then the answer has no rate-limit headers.
  }
}

function admit(ctx: Context, live: Key | null, next: () => Promise<void>): Promise<void> {
  if (!live) throw invalidApiKey();
  ctx.state.key = live;
  return next();
}

/** The key that a request carries. Two headers with different keys count as none, because it is not clear which is meant. */
function secretOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers;
  const bearer = authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : '';
  let secret: string | undefined;
  for (const sent of [bearer, headers['x-api-key'], headers['xi-api-key']]) {
    if (typeof sent !== 'string' || sent === '') continue;
    if (secret !== undefined && secret !== sent) return undefined;
    secret = sent;
  }
  return secret;
}
