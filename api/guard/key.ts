import type { IncomingHttpHeaders } from 'node:http';
import type { Key, Keys } from '../../db/keys.ts';
import { invalidApiKey } from '../errors/keyErrors.ts';
import type { Context, Guard } from '../context.ts';

/** Lets a request pass that carries a live key, in whichever header its client sends. 401 `invalid_api_key` otherwise. */
export function key(keys: Keys): Guard {
  return (ctx, next) => {
    const secret = secretOf(ctx.req.headers);
    const found = secret === undefined ? null : keys.find(secret);
    return found instanceof Promise ? found.then((live) => admit(ctx, live, next)) : admit(ctx, found, next);
  };
}

/**
 * Notes whose key a request carries, if it carries one that can be found: for what leads nowhere, whose answer still tells where its key
 * stands.
 */
export async function noteKey(ctx: Context, keys: Keys): Promise<void> {
  const secret = secretOf(ctx.req.headers);
  if (secret === undefined) return;
  try {
    const found = await keys.find(secret);
    if (found) ctx.state.key = found;
  } catch {
    // Then it tells less.
  }
}

function admit(ctx: Context, live: Key | null, next: () => Promise<void>): Promise<void> {
  if (!live) throw invalidApiKey();
  ctx.state.key = live;
  return next();
}

/** The one key that a request carries. Two headers with different keys carry none: which was meant can't be told. */
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
