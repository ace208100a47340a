import type { IncomingHttpHeaders } from 'node:http';
import type { Key, Keys } from '../../db/keys.ts';
import { guard, type Context, type Guard } from '../context.ts';
import { invalidApiKey, scopeNotAllowed } from '../errors/keyErrors.ts';
import { elapsedMs } from '../http/answer.ts';

/** Requires a live key, in any of the headers that clients use. Throws 401 `invalid_api_key`. */
export function key(keys: Keys): Guard {
  return guard([401], (ctx, next) => {
    const secret = secretOf(ctx.req.headers);
    const found = secret === undefined ? null : keys.find(secret);
    return found instanceof Promise ? found.then((live) => admit(ctx, live, next)) : admit(ctx, found, next);
  });
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

/** The scopes of keys: the products, publishing and operating. */
export type Scope = 'llm' | 'voice' | 'batch' | 'agents' | 'publisher' | 'operator';

// The scope for models includes running agents.
const IMPLIED_BY: Partial<Record<Scope, Scope>> = { agents: 'llm' };

/** Whether a key has the scope, or one that implies it. */
export function hasScope({ scopes }: Key, needed: Scope): boolean {
  const implying = IMPLIED_BY[needed];
  return scopes.has(needed) || (implying !== undefined && scopes.has(implying));
}

/** Requires one of the scopes. Throws 403 `scope_not_allowed`, which names the first. */
export function scope(...needed: [Scope, ...Scope[]]): Guard {
  return guard([403], (ctx, next) => {
    if (!needed.some((one) => hasScope(ctx.state.key, one))) throw scopeNotAllowed(needed[0]);
    return next();
  });
}

// A key in memory is valid for this long, so a request that arrived in less time needs no second check.
const PROMPT_MS = 1_000;

/** Builds a route's guards from the checks that come between its key and its limits: the scope first. */
export type Keyed = (...checks: Guard[]) => Guard[];

/**
 * The guards of every handler that needs a key, in order: key, scope, the request itself, then the key's limits. A request that is
 * refused earlier uses none of the limits. Uploads are checked by their handler, after the guards.
 */
export function keyedBy(key: Guard, rate: Guard): Keyed {
  // A slow sender may lose its key while it sends.
  const counted = guard([...key.refusals, ...rate.refusals], (ctx, next) =>
    elapsedMs(ctx) > PROMPT_MS ? key(ctx, () => rate(ctx, next)) : rate(ctx, next),
  );
  return (...checks) => [key, ...checks, counted];
}
