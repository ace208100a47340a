import type { SignedIn } from '../../db/accounts/consoleSession.ts';
import { endSessionOf } from '../../db/accounts/userSessions.ts';
import type { Context, Handler } from '../context.ts';
import { unknownRoute } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import { auditGuesses, auditOfRequest } from './accountAudit.ts';
import { auditSignIn, methodOf, proveStrong, tellOfChange } from './signInAudit.ts';
import { checkShape, isFromUs, readSamlForm, sendAgain } from './samlAnswer.ts';
import { BEGIN, isOfBrowser, sendToProvider, toIdentityProvider } from './companySignIn.ts';
import { checkReach, namedFor } from './providerSession.ts';
import { type SignInContext, withContext } from './signInContext.ts';
import { goOn, goTo, isProvider, toProvider } from './providerRequests.ts';
import { ACCOUNT_BODIES } from './accountBodies.ts';
import { refuseUnknownQuery } from '../body/closedRoute.ts';
import { refusalOf } from './accountRefusals.ts';
import type { AccountInput } from './accountSchema.ts';
import { cookieSecretsOf } from './accountSecrets.ts';
import { resigned } from './resigned.ts';
import { createAuthOpener } from './openAuth.ts';
import { askAbout, checkCallbacks, isLink, nextPageOf } from './callbacks.ts';
import { AUTH_PATH, cookiePrefixOf, originOf, sessionTokenOf } from '../guard/cookie.ts';
import { clientAddressOf } from '../guard/allowedAddress.ts';
import { createPasswordGate } from './passwordGate.ts';
import { PASSWORD_LENGTH, withHash } from './passwords.ts';
import { signedInOf } from '../guard/session.ts';
import { accountOf, pardon, throttle } from '../guard/throttling.ts';

const WORKSPACE = ['organizationId', 'organizationSlug'];

/**
 * The accounts library's endpoints that only read and are served, with the members of their query: the library ignores unknown ones, so they
 * are refused before. `ACCOUNT_BODIES` has the others. All else is 404.
 */
const READS: ReadonlyMap<string, readonly string[]> = new Map([
  ['get-session', []],
  ['list-accounts', []],
  ['passkey/generate-register-options', ['name', 'authenticatorAttachment']],
  ['passkey/generate-authenticate-options', []],
  ['passkey/list-user-passkeys', []],
  ['organization/list', []],
  ['organization/list-members', [...WORKSPACE, 'limit', 'offset']],
  ['organization/list-invitations', WORKSPACE],
  ['organization/list-user-invitations', []],
  ['organization/get-invitation', ['id']],
  ['sso/saml2/sp/metadata', ['providerId', 'format']],
]);

// Where an OpenID provider of a workspace leads back to.
const OF_COMPANY = /^sso\/(?:callback|saml2\/sp\/acs)\/idp_[0-9A-Za-z]{1,60}$/;

// Endpoints that hash a password, or compare one with its hash.
const HASHING: ReadonlySet<string> = new Set([
  'sign-up/email',
  'sign-in/email',
  'reset-password',
  'change-password',
  'two-factor/enable',
  'two-factor/disable',
  'two-factor/generate-backup-codes',
]);

/** Passes a request to the accounts library, which is loaded at first use, and returns its answer, with errors in the API's form. */
export function answerAccounts(services: Services): {
  read: Handler;
  change: Handler<AccountInput>;
  acceptSaml: Handler;
} {
  const { db, config } = services;
  const open = createAuthOpener(services);
  const gate = createPasswordGate();

  return {
    read: async (ctx) => serve(ctx, 'GET', {}),
    change: async (ctx) => serve(ctx, 'POST', ctx.state.input),
    acceptSaml: async (ctx) => {
      const form = await readSamlForm(ctx);
      if (!isFromUs(ctx, config.publicUrl)) return sendAgain(ctx, form);
      if (!isOfBrowser(ctx, config.publicUrl, form.RelayState)) return goTo(ctx, '/sign-in?error=state_mismatch');
      checkShape(form);
      await answer(ctx, ctx.path.slice(AUTH_PATH.length + 1), { ...form });
    },
  };

  async function serve(ctx: Context, method: 'GET' | 'POST', input: AccountInput): Promise<void> {
    const path = ctx.path.slice(AUTH_PATH.length + 1);
    const isCallback = method === 'GET' && (isProvider(config.signIn, path) || path.startsWith('sso/callback/idp_'));
    const members = method === 'GET' ? READS.get(path) : undefined;
    const isOpened = method === 'GET' && isLink(path);
    const isServed = method === 'GET' ? members !== undefined || isOpened : ACCOUNT_BODIES.has(path);
    if (!isCallback && !isServed) throw unknownRoute(ctx.method, ctx.path);
    checkCallbacks(ctx, input);
    if (members) refuseUnknownQuery(ctx, members);
    if (isOpened) return askAbout(ctx, path);
    return HASHING.has(path) ? gate(() => answer(ctx, path, input)) : answer(ctx, path, input);
  }

  async function answer(ctx: Context, path: string, sent: AccountInput): Promise<void> {
    await throttle(
      db.pool,
      ctx,
      OF_COMPANY.test(path) ? 'callback of a company' : path.replace(/^callback\/.*/, 'callback'),
      (account) => auditGuesses(services, ctx, account),
    );
    // Gives them a workspace and selects it before the library reads it.
    const member = await signedInOf(services, ctx, path.startsWith('organization/') || path === BEGIN);
    const target = await checkReach(services, ctx, { path, input: sent, member });
    const input = ACCOUNT_BODIES.get(path)?.(sent) ?? sent;
    const asked =
      path === BEGIN ? await toIdentityProvider(services, member, input) : toProvider(config.signIn, path, input);
    if (path === BEGIN && !asked) {
      ctx.body = { url: null };
      return;
    }
    const workspaceId = path.startsWith('organization/') ? (target ?? member?.liveWorkspaceId ?? null) : null;
    const context: SignInContext = {
      path,
      requestId: ctx.state.requestId,
      workspaceId,
      member,
      code: input['code'],
      state: stateOf(ctx, input),
      audit: auditOfRequest(ctx, { path, input, workspaceId }, member),
    };
    const request = requestOf(ctx, services, { input: asked ?? input, named: namedFor(path, target) });
    const response = await ask(context, input, request);
    const leadsBack = path.startsWith('callback/') || OF_COMPANY.test(path);
    if (response.status === 500 && context.fault !== undefined && !leadsBack) throw context.fault;
    if (response.ok) await noteSuccess(ctx, { context, input, member });
    await noteSession(services, ctx, { context, response, before: member?.userId });
    if (path === BEGIN && response.ok)
      return sendToProvider(services, ctx, response, input['trial'] === true ? member : null);
    if (OF_COMPANY.test(path)) {
      const { settleSignIn } = await import('./identityProviders.ts');
      await settleSignIn(db.everywhere, context);
    }
    if (leadsBack) return goOn(ctx, response, config.publicUrl);
    await present(ctx, response, input);
    if (path === 'sign-up/email') ctx.body = { user: sentPerson(input) };
  }

  /** The library's response. It gets a link as it is in the mail, and the password of a sign-up already hashed. */
  async function ask(context: SignInContext, input: AccountInput, request: Request): Promise<Response> {
    const { path } = context;
    const handler = await open(path, input);
    const respond = () => withContext(context, () => handler(isLink(path) ? linkRequestOf(input, request) : request));
    const password = path === 'sign-up/email' ? newPasswordOf(input) : undefined;
    return password === undefined ? respond() : withHash(password, respond);
  }

  /** What an accepted request changes here: counted tries, an audit that no write of the library carries, the proof of a passkey. */
  async function noteSuccess(
    ctx: Context,
    { context, input, member }: { context: SignInContext; input: AccountInput; member: SignedIn | null },
  ): Promise<void> {
    const { path, audit } = context;
    const account = accountOf(input);
    if (path === 'sign-in/email' && account !== undefined) await pardon(db.pool, path, account);
    if (audit?.acts.length === 0) await db.everywhere.transaction((tx) => audit.write(tx, undefined));
    if (path === 'passkey/verify-registration' && member && context.isUserVerified)
      await proveStrong(services, ctx, member);
    if (member) await tellOfChange(services, path, member);
  }
}

/** The state that comes back from an identity provider. */
function stateOf({ querystring }: Context, { RelayState: state }: AccountInput): string {
  return typeof state === 'string' ? state : (new URLSearchParams(querystring).get('state') ?? '');
}

/** The password of a sign-up, which the library hashes in its transaction; undefined for a password that it refuses. */
function newPasswordOf({ password }: AccountInput): string | undefined {
  const isRight =
    typeof password === 'string' && password.length >= PASSWORD_LENGTH.min && password.length <= PASSWORD_LENGTH.max;
  return isRight ? password : undefined;
}

/** The request in the library's form. Uses the installation's own address, and the workspace that was checked, whatever the client sent. */
function requestOf(
  ctx: Context,
  { config: { publicUrl }, accountSecret }: Services,
  { input, named }: { input: AccountInput; named: { organizationId: string } | undefined },
): Request {
  const headers = new Headers({ 'x-client-address': clientAddressOf(ctx), 'x-request-id': ctx.state.requestId });
  for (const name of ['cookie', 'user-agent', 'origin'] as const) {
    const value = ctx.req.headers[name];
    if (value !== undefined)
      headers.set(name, name === 'cookie' ? resigned(value, cookieSecretsOf(accountSecret)) : value);
  }
  // Browsers omit it for reads.
  if (!headers.has('origin')) headers.set('origin', originOf(publicUrl));
  const url = new URL(ctx.req.url!, originOf(publicUrl));
  if (named) {
    url.searchParams.delete('organizationSlug');
    url.searchParams.set('organizationId', named.organizationId);
  }
  if (ctx.method !== 'POST') return new Request(url, { headers });
  headers.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers, body: JSON.stringify({ ...input, ...named }) });
}

/** The library takes a link as it is in the mail. */
function linkRequestOf({ token = '', callbackURL = '/' }: AccountInput, { url, headers }: Request): Request {
  const link = new URL(url);
  link.search = new URLSearchParams({ token, callbackURL: String(callbackURL) }).toString();
  return new Request(link, { headers });
}

/**
 * Audits a sign-in before its cookie is sent, and ends the browser's previous session, also another account's. If the process dies before
 * the audit, nobody has the session's token.
 */
async function noteSession(
  { db, config }: Services,
  ctx: Context,
  { context, response, before }: { context: SignInContext; response: Response; before: string | undefined },
): Promise<void> {
  const prefix = cookiePrefixOf(config.publicUrl);
  const set = response.headers.getSetCookie().find((one) => one.startsWith(`${prefix}.session_token=`));
  const token = set === undefined ? undefined : sessionTokenOf({ cookie: set.split(';')[0]! }, prefix);
  if (token === undefined) return;
  await auditSignIn({ db }, ctx, { method: methodOf(context), token, before });
  const replaced = sessionTokenOf(ctx.req.headers, prefix);
  if (replaced !== undefined && replaced !== token) await endSessionOf(db.everywhere, replaced);
}

// The library's answer for a new address differs from its made-up answer for a known address.
const sentPerson = ({ name, email }: AccountInput) => ({ name, email });

async function present(ctx: Context, response: Response, input: AccountInput): Promise<void> {
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) ctx.res.setHeader('set-cookie', cookies);
  const location = response.headers.get('location');
  // The library redirects after a link; the console page that sent the request navigates by itself.
  if (location !== null && response.status >= 300) {
    ctx.body = { next: nextPageOf(location) };
    return;
  }
  const text = await response.text();
  if (response.ok && response.headers.get('content-type')?.includes('xml')) {
    ctx.type = 'application/samlmetadata+xml';
    ctx.body = text;
    return;
  }
  const answer: unknown = text === '' ? null : JSON.parse(text);
  if (response.status >= 400) throw refusalOf(response.status, answer, { ...ctx.query, ...input });
  ctx.status = response.status;
  ctx.type = 'json';
  ctx.body = withoutTokens(answer);
}

// Pages need no token: it is in a cookie that scripts cannot read.
function withoutTokens(answer: unknown): unknown {
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) return answer;
  const { token: _token, session, ...rest } = answer as { token?: unknown; session?: object };
  if (session === undefined) return rest;
  return { ...rest, session: withoutTokens(session) };
}
