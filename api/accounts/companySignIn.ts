import { hash, timingSafeEqual } from 'node:crypto';
import { invalidRequest, notFound } from '../../base/errors/requestErrors.ts';
import { ownerRequired } from '../../base/errors/keyErrors.ts';
import type { SignedIn } from '../../db/accounts/consoleSession.ts';
import { domainOf } from '../../db/singleSignOn/mailDomains.ts';
import { findProviderOf, readProvider } from '../../db/singleSignOn/providers.ts';
import { beginTrial } from '../../db/singleSignOn/trials.ts';
import type { Context } from '../context.ts';
import { cookiePrefixOf } from '../guard/cookie.ts';
import { checkOpens } from '../guard/session.ts';
import type { Services } from '../services.ts';
import type { AccountInput } from './accountSchema.ts';
import { nonceOf } from './nonce.ts';

/** The library's endpoint that begins a sign-in by an identity provider. */
export const BEGIN = 'sign-in/sso';

const COOKIE_MS = 10 * 60_000;
const SETTINGS = '/settings?tab=sign-in';

/**
 * The library's request for a sign-in: by the domain of an address, null where no workspace has a provider for it; or an owner's trial of
 * the workspace's own provider. Throws 404 `provider_not_found`, and 403 for a trial of somebody who is no owner.
 */
export async function toIdentityProvider(
  { db }: Services,
  member: SignedIn | null,
  input: AccountInput,
): Promise<AccountInput | null> {
  if (input['trial'] === true) {
    if (member?.role !== 'owner') throw ownerRequired();
    checkOpens(member);
    const own = await readProvider(db.everywhere, member.liveWorkspaceId);
    if (own === null) throw notSetUp();
    return { providerId: own.id, callbackURL: SETTINGS, errorCallbackURL: SETTINGS, loginHint: member.email };
  }
  const email = (input.email ?? '').trim().toLowerCase();
  const found = await findProviderOf(db.everywhere, domainOf(email));
  if (!found) return null;
  return {
    providerId: found.id,
    callbackURL: '/sign-in?step=done',
    errorCallbackURL: '/sign-in',
    loginHint: email,
  };
}

const notSetUp = () => notFound('The workspace has no identity provider.', 'provider_not_found');

/**
 * Answers with the address of the provider's page. The identity token is bound by a nonce to the state, and the state by a cookie to the
 * browser, also for SAML. Throws 400 `provider_unusable` for a page that is none of the web.
 */
export async function sendToProvider(
  { db, config }: Services,
  ctx: Context,
  response: Response,
  trialOf: SignedIn | null,
): Promise<void> {
  const { url: address } = (await response.json()) as { url: string };
  const url = new URL(address);
  // SAML metadata may state a `javascript:` address, which the console's page would open.
  if (!/^https?:$/.test(url.protocol))
    throw invalidRequest('provider_unusable', 'The page of the identity provider is not at an https address.');
  const isSaml = url.searchParams.has('SAMLRequest');
  const state = url.searchParams.get(isSaml ? 'RelayState' : 'state') ?? '';
  if (!isSaml) url.searchParams.set('nonce', nonceOf(state));
  if (trialOf) await beginTrial(db.everywhere, trialOf.liveWorkspaceId, state);
  ctx.res.setHeader('set-cookie', [...response.headers.getSetCookie(), cookieOf(config.publicUrl, state)]);
  ctx.status = 200;
  ctx.body = { url: url.href };
}

const nameOf = (publicUrl: string): string => `${cookiePrefixOf(publicUrl)}.sso`;
const hashed = (state: string): string => hash('sha256', `browser ${state}`, 'base64url');

function cookieOf(publicUrl: string, state: string): string {
  const isSecure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${nameOf(publicUrl)}=${hashed(state)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${COOKIE_MS / 1_000}${isSecure}`;
}

/** Whether this browser began the sign-in with this state. */
export function isOfBrowser(ctx: Context, publicUrl: string, state: string): boolean {
  const start = `${nameOf(publicUrl)}=`;
  const sent = (ctx.req.headers.cookie ?? '').split(/;\s*/).find((one) => one.startsWith(start));
  const [given, expected] = [Buffer.from(sent?.slice(start.length) ?? ''), Buffer.from(hashed(state))];
  return state !== '' && given.length === expected.length && timingSafeEqual(given, expected);
}
