import type { OidcConfiguration, SamlConfiguration } from '../../db/entities/singleSignOn.ts';
import type { AnyRows } from '../../db/postgres/rows.ts';
import { findProvider, openProviderSecret, type ProviderWithDomains } from '../../db/singleSignOn/providers.ts';
import type { SealingKeys } from '../../db/sealing/sealingKeys.ts';
import { acsUrlOf, spEntityIdOf } from '../guard/providerUrls.ts';

/** What the library needs to read a provider: the keys of its secret, and our own address. */
export interface ProviderReading {
  keys: SealingKeys | null;
  publicUrl: string;
}

/** The table of identity providers for the library: read, and locked while a session begins. It writes nothing. */
export const providerTable = (rows: AnyRows, reading: ProviderReading) => ({
  read: async (id: string, isLocked: boolean): Promise<Record<string, unknown> | null> => {
    const found = await findProvider(rows, id, isLocked);
    return found && present(found, reading);
  },
});

function present(provider: ProviderWithDomains, { keys, publicUrl }: ProviderReading): Record<string, unknown> {
  const { id, workspaceId, issuer, domains, kind } = provider;
  return {
    id,
    providerId: id,
    issuer,
    domain: domains.join(','),
    domainVerified: domains.length > 0,
    organizationId: workspaceId,
    userId: workspaceId,
    oidcConfig: kind === 'oidc' ? JSON.stringify(oidcOf(provider, keys)) : null,
    samlConfig: kind === 'saml' ? JSON.stringify(samlOf(provider, publicUrl)) : null,
  };
}

function oidcOf(provider: ProviderWithDomains, keys: SealingKeys | null): object {
  const { clientId, scopes, ...endpoints } = provider.configuration as OidcConfiguration;
  if (keys === null) throw new Error('CATALOG_SECRETS_KEY is not set');
  return {
    issuer: provider.issuer,
    clientId,
    clientSecret: openProviderSecret(keys, provider),
    ...endpoints,
    discoveryEndpoint: `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    pkce: true,
    scopes,
  };
}

function samlOf({ id, configuration }: ProviderWithDomains, publicUrl: string): object {
  const { metadata, emailAttribute, nameAttribute } = configuration as SamlConfiguration;
  const entityID = spEntityIdOf(publicUrl, id);
  return {
    issuer: entityID,
    audience: entityID,
    callbackUrl: acsUrlOf(publicUrl, id),
    wantAssertionsSigned: true,
    authnRequestsSigned: false,
    idpMetadata: { metadata },
    spMetadata: { entityID },
    mapping: {
      ...(emailAttribute !== null && { email: emailAttribute }),
      ...(nameAttribute !== null && { name: nameAttribute }),
    },
  };
}
