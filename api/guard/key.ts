import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../../db/database.ts';
import type { Key, Keys } from '../../db/keys/keys.ts';
import { hasScope, IMPLIED_BY, type Scope } from '../../db/keys/scopes.ts';
import { CLIENT_SECRET_PREFIX, findClientSecret } from '../../db/keys/clientSecrets.ts';
import { guard, type Context, type Guard } from '../context.ts';
import { rolesWith } from '../../db/keys/roles.ts';
import {
  clientSecretRefused,
  mismatchedProject,
  projectArchived,
  roleNotAllowed,
  scopeNotAllowed,
} from '../../base/errors/keyErrors.ts';
import { DEFAULT_PROJECT } from '../../db/workspaces/defaultProject.ts';
import type { Queryable } from '../../db/postgres/queryable.ts';
import { elapsedMsOf, setClock } from '../../calls/caller.ts';
import { askedTest } from './testMode.ts';
import { fromAllowedAddress } from './allowedAddress.ts';
import { wrongKey } from './wrongKey.ts';

/**
 * Requires a live key, in any of the headers that clients use. Throws 401 `invalid_api_key`, and 403 `ip_not_allowed` for an address
 * outside the key's ranges.
 */
export function key(db: Pick<Database, 'keys' | 'pool'>): Guard {
  return guard([401], (ctx, next) => {
    if (ctx.state.clientSecret) return next();
    const secret = secretOf(ctx.req.headers);
    const found = secret === undefined ? null : db.keys.find(secret);
    return found instanceof Promise ? found.then((live) => admit(db, ctx, live, next)) : admit(db, ctx, found, next);
  });
}

/**
 * Accepts a client secret instead of a key, before the guard `key`: the request then counts as a request of the secret's key, with its
 * scopes, limits and addresses. Throws 401, or 402 when the secret's spend limit is reached.
 */
export function clientSecret({ db }: { db: Database }): Guard {
  return guard([401], async (ctx, next) => {
    const secret = secretOf(ctx.req.headers);
    if (!secret?.startsWith(CLIENT_SECRET_PREFIX)) return next();
    const found = await findClientSecret(db.pool, secret);
    if (typeof found === 'string') throw clientSecretRefused(found);
    ctx.state.clientSecret = found;
    return admit(db, ctx, found.key, next);
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
    // The answer then has no rate-limit headers.
  }
}

function admit(
  { pool }: { pool: Queryable },
  ctx: Context,
  live: Key | null,
  nextOfAll: () => Promise<void>,
): Promise<void> {
  if (!live) throw wrongKey(ctx.req.headers, secretOf(ctx.req.headers));
  if (live.hasProjects) checkProject(live, ctx.req.headers['openai-project']);
  const { state } = ctx;
  state.key = live;
  state.test = askedTest(ctx, live);
  const next = state.test ? () => setClock(pool, state).then(nextOfAll) : nextOfAll;
  return live.allowedIps === null ? next() : fromAllowedAddress(ctx, live.allowedIps, next);
}

// In a workspace without projects the header is ignored: a client may send that of an account elsewhere.
function checkProject({ projectId, isArchived }: Key, named: string | string[] | undefined): void {
  if (isArchived) throw projectArchived();
  if (named !== undefined && named !== '' && named !== (projectId ?? DEFAULT_PROJECT)) throw mismatchedProject();
}

/** Whether a request carries a key, in any of its headers. */
export const carriesKey = (headers: IncomingHttpHeaders): boolean =>
  Boolean(headers.authorization ?? headers['x-api-key'] ?? headers['xi-api-key'] ?? inSubprotocol(headers));

/** The key of a request. Two headers with different keys count as no key, because it is unclear which applies. */
function secretOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers;
  const bearer = authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : '';
  let secret: string | undefined;
  for (const sent of [bearer, headers['x-api-key'], headers['xi-api-key'], inSubprotocol(headers)]) {
    if (typeof sent !== 'string' || sent === '') continue;
    if (secret !== undefined && secret !== sent) return undefined;
    secret = sent;
  }
  return secret;
}

/** The subprotocols of sockets that contain a key, ours and OpenAI's: pages in a browser cannot set headers. */
export const KEY_PROTOCOL = /^(?:textapi|openai)-insecure-api-key\./;

function inSubprotocol({ 'sec-websocket-protocol': offered }: IncomingHttpHeaders): string | undefined {
  const carrying = offered
    ?.split(',')
    .map((one) => one.trim())
    .find((one) => KEY_PROTOCOL.test(one));
  return carrying?.replace(KEY_PROTOCOL, '');
}

/** Requires one of the scopes. Throws 403: `scope_not_allowed` names the scopes, `role_not_allowed` the roles that have it. */
export function scope(...needed: [Scope, ...Scope[]]): Guard {
  return guard([403], (ctx, next) => {
    const { key: used, member } = ctx.state;
    if (needed.some((one) => hasScope(used, one))) return next();
    throw member
      ? roleNotAllowed(member.role, rolesWith(IMPLIED_BY[needed[0]] ?? needed[0]))
      : scopeNotAllowed(...needed);
  });
}

// A cached key is valid for this long, so a request that arrived in less time needs no second check.
const PROMPT_MS = 1_000;

/** Builds a route's guards. The checks run between the key and its limits, the scope first. */
export type Keyed = <Input>(...checks: Guard<Input>[]) => Guard<Input>[];

/**
 * The guards of a route that needs a key, in order: key, scope, input, then the key's limits. Requests that are refused earlier do not
 * count against the limits. Uploads are checked by their handler, after the guards.
 */
export function keyedBy(key: Guard, rate: Guard): Keyed {
  // The key may end while a slow sender uploads the body.
  const counted = guard([...key.refusals, ...rate.refusals], (ctx, next) =>
    elapsedMsOf(ctx.state) > PROMPT_MS ? key(ctx, () => rate(ctx, next)) : rate(ctx, next),
  );
  return (...checks) => [key, ...checks, counted];
}
