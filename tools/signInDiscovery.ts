import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  resourceUrlFromServerUrl,
  type AuthorizationServerMetadata,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import type { GuardedFetch } from './guardedFetch.ts';

/** A plugin with sign-ins, as an operator registered it. Its address and that of the named authorization server may be private. */
export interface SignInPlugin {
  url: string;
  settings: {
    /** The only authorization server to use; if omitted, the first that the plugin names. */
    issuer?: string;
    /** Of an already registered client. */
    clientId?: string;
    clientSecret?: string;
    scope?: string;
  };
}

/** The sign-in is not possible, or has ended. The text is for the user. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
}

interface Discovered {
  issuer: string;
  metadata: AuthorizationServerMetadata;
  /** The resource that the tokens are for (RFC 8707). */
  resource: string;
  scope: string | undefined;
}

/** Finds a plugin's authorization server and its requirements. Throws `SignInFailed` if it cannot be used. */
export async function discoverSignIn(plugin: SignInPlugin, fetchFn: GuardedFetch['fetch']): Promise<Discovered> {
  const { resourceMetadataUrl, scope: challenged } = await challengeOf(plugin.url, fetchFn);
  const where = resourceMetadataUrl && { resourceMetadataUrl };
  const { issuer, metadata, resourceMetadata } = await discover(plugin, where, fetchFn);
  const scope = plugin.settings.scope ?? challenged ?? resourceMetadata?.scopes_supported?.join(' ');
  return { issuer, metadata, resource: resourceOf(plugin, resourceMetadata), scope: lastingScope(metadata, scope) };
}

async function discover(
  { url, settings }: SignInPlugin,
  where: { resourceMetadataUrl: URL } | undefined,
  fetchFn: GuardedFetch['fetch'],
) {
  if (settings.issuer === undefined) {
    const found = await discoverOAuthServerInfo(url, { ...where, fetchFn });
    const { authorizationServerUrl: issuer, authorizationServerMetadata, resourceMetadata } = found;
    return { issuer, metadata: usable(authorizationServerMetadata), resourceMetadata };
  }
  const { issuer } = settings;
  const resourceMetadata = await discoverOAuthProtectedResourceMetadata(url, where, fetchFn).catch(() => undefined);
  if (resourceMetadata?.authorization_servers && !resourceMetadata.authorization_servers.includes(issuer))
    throw new SignInFailed('The plugin no longer names the authorization server that its operator has registered.');
  const metadata = usable(await discoverAuthorizationServerMetadata(issuer, { fetchFn }));
  return { issuer, metadata, resourceMetadata };
}

/** The plugin's challenge to a call without a token (RFC 6750, RFC 9728). */
async function challengeOf(url: string, fetchFn: GuardedFetch['fetch']) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const answer = await fetchFn(url, { method: 'POST', headers, body });
  return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {};
}

function usable(metadata: AuthorizationServerMetadata | undefined): AuthorizationServerMetadata {
  if (!metadata) throw new SignInFailed('The authorization server publishes no metadata.');
  if (!metadata.code_challenge_methods_supported?.includes('S256'))
    throw new SignInFailed('The authorization server does not support PKCE with S256.');
  return metadata;
}

// Some servers require a separate scope for lasting access.
function lastingScope(
  { scopes_supported: known }: AuthorizationServerMetadata,
  scope: string | undefined,
): string | undefined {
  if (!scope || !known?.includes('offline_access') || scope.split(' ').includes('offline_access')) return scope;
  return `${scope} offline_access`;
}

function resourceOf({ url }: SignInPlugin, resourceMetadata: OAuthProtectedResourceMetadata | undefined): string {
  const own = resourceUrlFromServerUrl(url);
  if (!resourceMetadata) return own.href;
  const { resource } = resourceMetadata;
  if (checkResourceAllowed({ requestedResource: own, configuredResource: resource })) return resource;
  throw new SignInFailed('The metadata of the plugin belongs to another server.');
}
