import type { BetterAuthPlugin } from 'better-auth';

/**
 * What is used of `@better-auth/sso`. Its own types load those of the browser's document for the whole program, which contradict
 * Node's.
 */
export interface SingleSignOnOptions {
  domainVerification: { enabled: boolean };
  organizationProvisioning: { disabled: boolean };
  saml: {
    enableInResponseToValidation: boolean;
    allowIdpInitiated: boolean;
    requireTimestamps: boolean;
    clockSkew: number;
    requestTTL: number;
    maxResponseSize: number;
    algorithms: { onDeprecated: 'reject' };
  };
  resolveUser(input: ProvidedIdentity): Promise<Resolution>;
}

interface Identity {
  providerId: string;
  accountKey: { issuer: string; accountId: string };
  providerUser: { email?: string; name?: string };
}

/** What a token or an assertion says, once the library has checked it. */
export type ProvidedIdentity = Identity &
  (
    | { protocol: 'oidc'; verifiedIdTokenClaims: Record<string, unknown> }
    | { protocol: 'saml'; providerAttributes: Record<string, string | string[]> }
  );

/** Whom it signs in, or the code of why it does not. */
export type Resolution =
  { action: 'link'; userId: string; profile: 'preserve' | 'update' } | { action: 'reject'; code: string };

export function sso(options: SingleSignOnOptions): BetterAuthPlugin;

/** The entity id in metadata. Throws for metadata that cannot be used. */
export function deriveSAMLIdentityProviderEntityID(config: { idpMetadata: { metadata: string } }): unknown;
