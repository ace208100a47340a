import { findSignedIn, watchSignedIn, type SignedIn } from '../../db/accounts/consoleSession.ts';
import { cookiePrefixOf, sessionTokenOf } from './cookie.ts';
import { guard, type Context, type Guard } from '../context.ts';
import {
  csrfRefused,
  notSignedIn,
  ownerRequired,
  recentLoginRequired,
  roleNotAllowed,
  scopeNotAllowed,
  secondFactorRequired,
  sessionRequired,
  singleSignOnRequired,
  workspaceNotAllowed,
} from '../../base/errors/keyErrors.ts';
import type { Database } from '../../db/database.ts';
import type { ApiConfig } from '../config.ts';
import { hasScope, type Scope } from '../../db/keys/scopes.ts';
import { carriesKey } from './key.ts';
import { setClock } from '../../calls/caller.ts';
import { testOf } from '../../calls/testMode.ts';

interface Needed {
  db: Database;
  config: Pick<ApiConfig, 'publicUrl' | 'sessionLimits'>;
}

/**
 * Requires a member's session, in the console's cookie. The member's key replaces a request's key, so later guards work unchanged. Throws
 * 401 `not_signed_in`, and 403 `csrf_refused` for a write that does not come from a page of the console, or `single_sign_on_required` or
 * `second_factor_required` for what the workspace asks of its sessions, unless the route `isForAny`.
 */
export function session({ db, config }: Needed, { isForAny = false } = {}): Guard {
  return guard([401], async (ctx, next) => {
    const member = await signedInOf({ db, config }, ctx);
    if (!member) throw notSignedIn();
    if (!isForAny) checkOpens(member);
    if (isWrite(ctx)) checkPage(ctx);
    ctx.state.member = member;
    ctx.state.key = member.key;
    ctx.state.test = testOf(member.key.workspaceId);
    await setClock(db.pool, ctx.state);
    return next();
  });
}

/** Throws 403 when the workspace asks for a sign-in by its identity provider, or for a second factor. */
export function checkOpens({ lacks }: Pick<SignedIn, 'lacks'>): void {
  if (lacks === 'single_sign_on') throw singleSignOnRequired();
  if (lacks === 'second_factor') throw secondFactorRequired();
}

/**
 * The signed-in person, in the workspace that the page's tab shows: its requests name it, so that a switch in another tab changes nothing
 * here. Throws 403 `workspace_not_allowed` when they do not belong to it. Links and images, which send no headers, name it in the query.
 */
export async function signedInOf(
  { db, config }: { db: Pick<Database, 'pool' | 'everywhere'>; config: Needed['config'] },
  ctx: Context,
  isOfTab = true,
): Promise<SignedIn | null> {
  const token = tokenOf(ctx, config);
  if (token === undefined) return null;
  const wanted = isOfTab ? ctx.get(WORKSPACE_HEADER) || takeParameter(ctx) : null;
  if (wanted !== null && !WORKSPACE_ID.test(wanted)) throw workspaceNotAllowed();
  const isUnused = !isWrite(ctx) && ctx.get(UNATTENDED_HEADER) === '1';
  const found = await findSignedIn(db, token, wanted, { ...config.sessionLimits, isUnused });
  if (found === 'not_member') throw workspaceNotAllowed();
  return found;
}

const tokenOf = (ctx: Context, { publicUrl }: Pick<Needed['config'], 'publicUrl'>): string | undefined =>
  sessionTokenOf(ctx.req.headers, cookiePrefixOf(publicUrl));

/** The signed-in person in a workspace that the request names elsewhere; null where it is not theirs, or their session does not open it. */
export async function memberAt(
  { db, config }: { db: Pick<Database, 'pool' | 'everywhere'>; config: Needed['config'] },
  ctx: Context,
  workspaceId: string,
): Promise<SignedIn | null> {
  const token = tokenOf(ctx, config);
  if (token === undefined) return null;
  const found = await findSignedIn(db, token, workspaceId, config.sessionLimits);
  return found === 'not_member' ? null : found;
}

/**
 * Asks whether the session of an endless answer still opens what it did when that began: it has not ended, lacks nothing, and its person
 * has the same role. Undefined for a call with a key.
 */
function heldBy({ db, config }: Needed, ctx: Context): (() => Promise<boolean>) | undefined {
  const { member } = ctx.state;
  const token = tokenOf(ctx, config);
  if (!member || token === undefined) return undefined;
  return async () => {
    const now = await watchSignedIn(db.pool, token, member.key.workspaceId, config.sessionLimits);
    return now !== null && now.lacks === null && now.role === member.role;
  };
}

/** Watches whether the reader of an endless answer still has the rights and the session with which it began. Its result ends the watching. */
export const watchReader =
  (services: Needed, ctx: Context) =>
  (onEnd: () => void): (() => void) =>
    services.db.keys.watchRights(ctx.state.key, onEnd, heldBy(services, ctx));

const WORKSPACE_HEADER = 'x-ledgerline-workspace';
// Sent by a page without input for a minute: its refreshes do not count as use of the session.
const UNATTENDED_HEADER = 'x-ledgerline-unattended';
const WORKSPACE_PARAMETER = 'in_workspace';
const WORKSPACE_ID = /^wst?_[0-9A-Za-z]{1,60}$/;

/** The workspace in the query, which routes then do not see; null without one. */
function takeParameter(ctx: Context): string | null {
  const query = new URLSearchParams(ctx.querystring);
  const named = query.get(WORKSPACE_PARAMETER);
  if (named === null) return null;
  query.delete(WORKSPACE_PARAMETER);
  ctx.querystring = query.toString();
  return named;
}

/** Like `session`, but passes requests with a key, or without a session, to the guard `key`. */
export function sessionOr(needed: Needed, key: Guard): Guard {
  const bySession = session(needed);
  return guard([401], (ctx, next) => {
    const { headers } = ctx.req;
    const isSession = !carriesKey(headers) && sessionTokenOf(headers, cookiePrefixOf(needed.config.publicUrl));
    return isSession ? bySession(ctx, next) : key(ctx, next);
  });
}

/** Requires a member of any role, or a key with one of the scopes. Throws 403 `scope_not_allowed`, which names the scopes. */
export function memberOr(...needed: [Scope, ...Scope[]]): Guard {
  return guard([403], (ctx, next) => {
    if (ctx.state.member || needed.some((one) => hasScope(ctx.state.key, one))) return next();
    throw scopeNotAllowed(...needed);
  });
}

/** Requires a member's session, on routes that also accept keys. Throws 403 `session_required`. */
export const memberOnly: Guard = guard([403], (ctx, next) => {
  if (!ctx.state.member) throw sessionRequired();
  return next();
});

/** Requires an owner of the workspace. Throws 403: `role_not_allowed`, or `owner_required` for a key. */
export const owner: Guard = guard([403], (ctx, next) => {
  if (!ctx.state.member) throw ownerRequired();
  const { role } = ctx.state.member;
  if (role !== 'owner') throw roleNotAllowed(role, ['owner']);
  return next();
});

const RECENT_MS = 12 * 3_600_000;

/** Requires a member's sign-in within the last 12 hours. Requests with a key pass. Throws 403 `recent_login_required`. */
export const recentLogin: Guard = guard([403], (ctx, next) => {
  checkRecent(ctx, ctx.state.member);
  return next();
});

/** Throws 403 `recent_login_required` for a person who signed in earlier. */
export function checkRecent({ state: { startedAtMs } }: Context, member: SignedIn | null | undefined): void {
  if (member && startedAtMs - member.signedInAtMs > RECENT_MS) throw recentLoginRequired();
}

const isWrite = ({ method }: Context): boolean => method !== 'GET' && method !== 'HEAD';

/** Throws 403 `csrf_refused` unless a script of a console page sent the request. */
function checkPage(ctx: Context): void {
  if (ctx.req.headers['x-ledgerline-csrf'] !== '1') throw csrfRefused('The header "x-ledgerline-csrf: 1" is missing.');
  checkOwnOrigin(ctx);
}

/**
 * Throws 403 `csrf_refused` for a request from a page of another origin, or without the two headers that show the origin. Browsers set
 * both, and pages cannot change them. `fromConsole` has already checked `Origin`.
 */
export function checkOwnOrigin({ req: { headers } }: Context): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin !== undefined : site === 'same-origin';
  if (!isOwn) throw csrfRefused('The request does not come from a page of the console.');
}
