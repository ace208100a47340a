import { sso, type ProvidedIdentity, type Resolution } from '@better-auth/sso';
import { admit, dismiss, type Asserted, roleOf, speaksFor } from '../../db/singleSignOn/admit.ts';
import { findProvider, type ProviderWithDomains } from '../../db/singleSignOn/providers.ts';
import { endTrial, isTrial } from '../../db/singleSignOn/trials.ts';
import type { AnyRows, Rows } from '../../db/postgres/rows.ts';
import { transactionOf } from './adapter.ts';
import { nonceOf } from './nonce.ts';
import { companyProviderOf, contextOf, type SignInContext } from './signInContext.ts';

const RESPONSE_BYTES_MAX = 256 * 1024;
const REQUEST_MS = 10 * 60_000;
const CLOCK_SKEW_MS = 60_000;

/**
 * Sign-ins by the identity providers of workspaces. The library checks the tokens and assertions; who they may sign in, and with which
 * role, is decided here. Its own routes to register providers are not served.
 */
export const identityProviders = (everywhere: Rows<undefined>) =>
  sso({
    domainVerification: { enabled: true },
    organizationProvisioning: { disabled: true },
    saml: {
      enableInResponseToValidation: true,
      allowIdpInitiated: false,
      requireTimestamps: true,
      clockSkew: CLOCK_SKEW_MS,
      requestTTL: REQUEST_MS,
      maxResponseSize: RESPONSE_BYTES_MAX,
      algorithms: { onDeprecated: 'reject' },
    },
    resolveUser: async (input) => {
      const context = contextOf();
      const rows = transactionOf() ?? everywhere;
      const provider = await findProvider(rows, input.providerId);
      if (!context || !provider) return reject('sso_not_set_up');
      const { nonce, ...asserted } = assertedBy(provider, input, context);
      if (provider.kind === 'oidc' && nonce !== nonceOf(context.state)) return reject('sso_wrong_nonce');
      if (isTrial(provider, context.state)) return tryOut(everywhere, provider, asserted);
      if (provider.testedAt === null) return reject('sso_not_tested');
      return signIn(rows, context, provider, asserted);
    },
  });

const reject = (code: string): Resolution => ({ action: 'reject', code });

async function signIn(
  rows: AnyRows,
  context: SignInContext,
  provider: ProviderWithDomains,
  asserted: Asserted & { isUnverified: boolean },
): Promise<Resolution> {
  if (asserted.isUnverified) return reject('email_not_verified');
  const admitted = await rows.transaction((tx) => admit(tx, provider, asserted));
  // The library rolls its transaction back, so the membership ends after it.
  if (admitted === 'sso_no_role') context.dismissed = asserted;
  if (typeof admitted === 'string') return reject(admitted);
  context.provider = provider;
  return { action: 'link', userId: admitted.userId, profile: 'preserve' };
}

/** An owner's trial: what the provider says is kept, without a session. In a transaction of its own, because the library's is rolled back. */
async function tryOut(
  everywhere: Rows<undefined>,
  provider: ProviderWithDomains,
  { email, groups, isUnverified }: Asserted & { isUnverified: boolean },
): Promise<Resolution> {
  const role = roleOf(provider, groups);
  const problem = isUnverified
    ? 'email_not_verified'
    : !speaksFor(provider, email)
      ? 'sso_wrong_domain'
      : role === null
        ? 'sso_no_role'
        : null;
  pendingTrials.set(contextOf()!, () =>
    everywhere.transaction((tx) => endTrial(tx, provider, { email, groups, role, problem })),
  );
  return reject('sso_trial');
}

const pendingTrials = new WeakMap<SignInContext, () => Promise<void>>();

/** What follows an answer of the library: the result of a trial, or the end of a membership. */
export async function settleSignIn(everywhere: Rows<undefined>, context: SignInContext): Promise<void> {
  await pendingTrials.get(context)?.();
  if (!context.dismissed) return;
  const provider = await findProvider(everywhere, companyProviderOf(context.path) ?? '');
  if (provider) await dismiss(everywhere, provider, context.dismissed);
}

function assertedBy(
  provider: ProviderWithDomains,
  input: ProvidedIdentity,
  { requestId }: SignInContext,
): Asserted & { nonce: unknown; isUnverified: boolean } {
  const claims = input.protocol === 'oidc' ? input.verifiedIdTokenClaims : input.providerAttributes;
  const groups = provider.groupsName === null ? [] : textsOf(claims[provider.groupsName]);
  return {
    accountId: input.accountKey.accountId,
    email: (input.providerUser.email ?? '').trim().toLowerCase(),
    name: input.providerUser.name ?? '',
    groups,
    requestId,
    nonce: input.protocol === 'oidc' ? input.verifiedIdTokenClaims.nonce : undefined,
    isUnverified: input.protocol === 'oidc' && isDenied(input.verifiedIdTokenClaims.email_verified),
  };
}

/** Some providers send the claim as a text, and many none at all. */
const isDenied = (verified: unknown): boolean =>
  verified !== undefined && verified !== null && verified !== true && verified !== 'true';

/** One group is sent as a text, several as a list. */
function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}
