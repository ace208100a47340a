import type { BetterAuthOptions } from 'better-auth';
import { genericOAuth, twoFactor } from 'better-auth/plugins';
import { storableText } from '../../base/json.ts';
import { withoutHalf } from '../../base/sentences.ts';
import type { SignInProvider } from '../../providers/signIn/config.ts';
import { PASSKEY } from './signInAudit.ts';
import { contextOf } from './signInContext.ts';

/** The vendors' sign-ins in the library's form. An address that the vendor has not verified opens nothing. */
export function vendorsOf(providers: readonly SignInProvider[]): BetterAuthOptions['socialProviders'] {
  const of = (id: SignInProvider['id']) => providers.find((provider) => provider.id === id);
  const [google, github] = [of('google'), of('github')];
  const own = ({ clientId, clientSecret }: SignInProvider) => ({
    clientId,
    clientSecret,
    requireEmailVerification: true,
  });
  return {
    ...(google && { google: { ...own(google), prompt: 'select_account' as const } }),
    ...(github && { github: own(github) }),
  };
}

/** Another OpenID provider, by its discovery document: with PKCE, and identity tokens that its keys signed. */
export const openIdOf = (providers: readonly SignInProvider[]) =>
  genericOAuth({
    config: providers
      .filter(({ issuer }) => issuer !== undefined)
      .map(({ id, name, issuer, clientId, clientSecret }) => ({
        providerId: id,
        name,
        clientId,
        clientSecret,
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        // Of another issuer, the same subject is another person: a setting may come to name another provider.
        accountSubject: ({ profile }) => (profile.sub ? `${issuer} ${profile.sub}` : ''),
        requireIdTokenVerification: true,
        requireEmailVerification: true,
        pkce: true,
        scopes: ['openid', 'email', 'profile'],
      })),
  });

/** What opens or adds an account needs an address that the provider has verified. A known account is found by its subject. */
export const validateUserInfo: NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']> = ({
  user,
  source,
}) =>
  source.method !== 'oauth' || source.action === 'sign-in' || user.emailVerified === true
    ? undefined
    : { error: 'email_not_verified', errorDescription: 'The provider has not verified this address.' };

/** A provider joins an account only by an address that it has verified, and that its person has confirmed here. */
export const LINKING = {
  updateAccountOnSignIn: false,
  accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
};

/** What is kept of a person and of a provider's account. `onAdded` is told of each account that signs a person in from now on. */
export function hooksOf(
  onAdded: (account: { userId: string; providerId: string }) => Promise<void>,
): BetterAuthOptions['databaseHooks'] {
  return {
    user: { create: { before: async (user) => ({ data: personOf(user) }) } },
    account: {
      create: { before: async (account) => ({ data: withoutTokens(account) }), after: onAdded },
      update: { before: async (account) => ({ data: withoutTokens(account) }) },
    },
  };
}

const nameIn = (text: string | null | undefined): string => {
  const storable = storableText(text ?? '').trim();
  return storable.slice(0, withoutHalf(storable, 100));
};

/** What we keep of a person that a provider names: texts as long as ours that can be stored, and no picture, which is on another host. */
const personOf = <User extends { name?: string; email?: string }>(user: User) => ({
  ...user,
  name: nameIn(user.name) || nameIn(user.email?.split('@')[0]),
  image: null,
});

/** A provider's tokens are used once, to learn who signs in, and never kept. */
const withoutTokens = <Account extends object>(account: Account) => ({
  ...account,
  ...Object.fromEntries(TOKENS.filter((name) => name in account).map((name) => [name, null])),
});

const TOKENS = ['accessToken', 'refreshToken', 'idToken', 'accessTokenExpiresAt', 'refreshTokenExpiresAt', 'scope'];

/**
 * The second factor, which the library asks for after passwords alone, also after a provider's sign-in, and after a passkey that is one
 * factor.
 */
export function secondFactor() {
  // A browser that is trusted would stay so when the password is reset, or the factor is set up anew.
  const plugin = twoFactor({ issuer: 'Ledgerline', allowPasswordless: true, trustDeviceMaxAge: 0 });
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) =>
      context.path === CALLBACK || isOneFactor(context.path) || hook.matcher(context),
  }));
  return { ...plugin, hooks: { ...plugin.hooks, after } };
}

const CALLBACK = '/callback/:id';
const isOneFactor = (path: unknown) => path === `/${PASSKEY}` && !contextOf()?.isUserVerified;
