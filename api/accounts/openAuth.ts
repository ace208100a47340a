import { ApiError } from '../../base/errors/apiError.ts';
import type { Services } from '../services.ts';
import type { AccountInput } from './accountSchema.ts';
import type { AuthHandler } from './auth.ts';
import { fetchingBy, openProviderFetch, shortFetch } from '../singleSignOn/providerFetch.ts';
import type { SignInProvider } from '../../providers/signIn/config.ts';

const PROVIDER_LIMIT_MS = 10_000;
// Sign-ins by the identity provider of a workspace, which the library asks for tokens and keys.
const COMPANY = /^(?:sign-in\/sso$|sso\/)/;
// Sign-ins by the installation's own providers, at addresses that the operator or the library knows.
const PROVIDER = /^(?:sign-in\/social$|link-social$|callback\/)/;
// Whoever adds a passkey may send a certificate, and the library would fetch any address in it.
const NOBODY = { fetch: () => Promise.reject(new TypeError('nothing is fetched for this request')) };

/**
 * Returns the accounts library for a request. There are two: one that knows the OpenID provider, which it asks for its configuration as it
 * is opened, for the sign-ins by it; and one for everything else, which works while that provider does not answer.
 */
export function createAuthOpener(services: Services): (path: string, input: AccountInput) => Promise<AuthHandler> {
  const { signIn } = services.config;
  const opening = new Map<string, Promise<AuthHandler>>();
  // A new version of the secret needs another instance.
  const nameOf = (withOpenId: boolean) =>
    [withOpenId, ...services.accountSecret.versions().map(({ version }) => version)].join(' ');

  return async (path, { provider }) => {
    const openId = signIn.find(({ issuer }) => issuer !== undefined);
    const isOpenId = openId !== undefined && (path === `callback/${openId.id}` || provider === openId.id);
    if (COMPANY.test(path)) {
      const ofCompany = await open(false);
      return async (request) => {
        const guarded = await openProviderFetch(services.config.singleSignOn);
        try {
          return await within(fetchingBy(guarded, () => ofCompany(request)));
        } finally {
          await guarded.close();
        }
      };
    }
    if (!isOpenId) {
      const handler = await open(false);
      return PROVIDER.test(path) ? handler : (request) => fetchingBy(NOBODY, () => handler(request));
    }
    const openChecked = () => checkAnswers(openId).then(() => open(true));
    const handler = await (opening.get(nameOf(true)) ?? fetchingBy({ fetch: shortFetch }, openChecked));
    return (request) => within(fetchingBy({ fetch: shortFetch }, () => handler(request)));
  };

  function open(withOpenId: boolean): Promise<AuthHandler> {
    const name = nameOf(withOpenId);
    const opened = opening.get(name) ?? load(withOpenId, name);
    opening.set(name, opened);
    return opened;
  }

  async function load(withOpenId: boolean, name: string): Promise<AuthHandler> {
    try {
      const { openAuth } = await import('./auth.ts');
      return await openAuth(services, withOpenId ? signIn : signIn.filter(({ issuer }) => issuer === undefined));
    } catch (error) {
      opening.delete(name);
      throw error;
    }
  }
}

/** The library waits for the configuration without a limit, so it is asked for once before. Throws 503 `provider_unavailable`. */
async function checkAnswers({ issuer }: SignInProvider): Promise<void> {
  const signal = AbortSignal.timeout(PROVIDER_LIMIT_MS);
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`, { signal }).catch(unavailable);
  await answer.json().catch(unavailable);
}

/** Throws 503 `provider_unavailable` when the provider takes too long. */
async function within(answer: Promise<Response>): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(providerUnavailable()), PROVIDER_LIMIT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(cause: unknown): never {
  throw providerUnavailable(cause);
}

const providerUnavailable = (cause?: unknown) =>
  new ApiError({
    status: 503,
    code: 'provider_unavailable',
    message: 'The sign-in provider does not answer. Try again, or sign in in another way.',
    cause,
  });
