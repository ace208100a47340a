import {
  exchangeAuthorization,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  registerClient,
  selectClientAuthMethod,
  startAuthorization,
  type AuthorizationServerMetadata,
  type OAuthClientInformation,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { isObject, storableBeginning } from '../base/json.ts';
import { isAllowedPrivate, type Egress } from './guardedAgent.ts';
import { createGuardedFetch, type GuardedFetch } from './guardedFetch.ts';
import { discoverSignIn, SignInFailed, type SignInPlugin } from './signInDiscovery.ts';

const NAME_CHARACTERS_MAX = 200;

/** The place of a sign-in: shared by its two halves and later renewals. */
interface SignInPlace {
  issuer: string;
  metadata: AuthorizationServerMetadata;
  client: OAuthClientInformation & { token_endpoint_auth_method?: string };
  /** The resource that the tokens are for (RFC 8707). */
  resource: string;
}

/** A sign-in that waits for its user. */
export type BegunSignIn = SignInPlace & { codeVerifier: string; redirectUrl: string };

/** A sign-in with its tokens. */
export type SignedInPlugin = SignInPlace & { tokens: OAuthTokens };

/**
 * Finds the plugin's authorization server and builds the address where the user signs in, with PKCE; the caller adds the `state`. Throws
 * `SignInFailed`.
 */
export function beginSignIn(
  plugin: SignInPlugin,
  redirectUrl: string,
): Promise<{ authorizationUrl: string; begun: BegunSignIn }> {
  return reaching(plugin, async (fetchFn) => {
    const { settings } = plugin;
    const { issuer, metadata, resource, scope } = await discoverSignIn(plugin, fetchFn);
    const client = settings.clientId
      ? { client_id: settings.clientId, ...(settings.clientSecret && { client_secret: settings.clientSecret }) }
      : await register({ issuer, metadata, redirectUrl, scope, fetchFn });
    const started = await startAuthorization(issuer, {
      metadata,
      clientInformation: client,
      redirectUrl,
      resource,
      ...(scope !== undefined && { scope }),
    });
    const { authorizationUrl, codeVerifier } = started;
    if (authorizationUrl.protocol !== 'https:' && !isAllowedPrivate(egressOf(plugin), authorizationUrl))
      throw new SignInFailed('The page of the authorization server is not https.');
    return {
      authorizationUrl: authorizationUrl.href,
      begun: { issuer, metadata, client, resource, codeVerifier, redirectUrl },
    };
  });
}

/** Exchanges the code from the authorization server's redirect. `iss` is the redirect's issuer. Throws `SignInFailed`. */
export function finishSignIn(
  plugin: SignInPlugin,
  { codeVerifier, redirectUrl, ...place }: BegunSignIn,
  { code, iss }: { code: string; iss?: string },
): Promise<SignedInPlugin> {
  return reaching(plugin, async (fetchFn) => {
    const tokens = await exchangeAuthorization(place.issuer, {
      metadata: place.metadata,
      clientInformation: place.client,
      authorizationCode: code,
      codeVerifier,
      redirectUri: redirectUrl,
      resource: place.resource,
      fetchFn,
      ...(iss !== undefined && { iss }),
    });
    return { ...place, tokens: bearer(tokens) };
  });
}

/** Renews the access token. Throws `SignInFailed` when the user has to sign in again, other errors when a retry may succeed. */
export async function renewSignIn(plugin: SignInPlugin, { tokens, ...place }: SignedInPlugin): Promise<SignedInPlugin> {
  const { refresh_token: refreshToken } = tokens;
  if (refreshToken === undefined) throw new SignInFailed('The access has expired.');
  const guarded = open(plugin);
  try {
    const { issuer, metadata, client: clientInformation, resource } = place;
    const order = { metadata, clientInformation, refreshToken, resource, fetchFn: guarded.fetch };
    // The scope is sent only when it changes, and the identity stays the first sign-in's.
    return { ...place, tokens: { ...tokens, ...bearer(await refreshAuthorization(issuer, order)) } };
  } catch (error) {
    throw error instanceof OAuthError && ENDED.has(error.code) ? failed(error) : error;
  } finally {
    await guarded.close();
  }
}

/** Revokes the tokens at the authorization server, if it supports that (RFC 7009). */
export async function revokeSignIn(plugin: SignInPlugin, { metadata, client, tokens }: SignedInPlugin): Promise<void> {
  const { revocation_endpoint: endpoint } = metadata as { revocation_endpoint?: string };
  if (endpoint === undefined) return;
  const guarded = open(plugin);
  try {
    const { refresh_token: refresh, access_token: access } = tokens;
    const params = new URLSearchParams({
      token: refresh ?? access,
      token_type_hint: refresh ? 'refresh_token' : 'access_token',
    });
    const headers = authenticate(metadata, client, params);
    const { status } = await guarded.fetch(endpoint, { method: 'POST', headers, body: params.toString() });
    if (status >= 500) throw new Error(`the authorization server answered the revocation with ${status}`);
  } finally {
    await guarded.close();
  }
}

/**
 * Whether the server may count both as one grant, so that a revocation of one ends the other too: they are of one client and, as far as is
 * known, one account.
 */
export const isSameGrant = (one: SignedInPlugin, other: SignedInPlugin): boolean =>
  one.issuer === other.issuer && one.client.client_id === other.client.client_id && accountIn(one) === accountIn(other);

/** The signed-in account, from an OpenID provider's token; null for other servers. */
export function accountIn({ tokens: { id_token: token } }: SignedInPlugin): string | null {
  try {
    // Received directly from the token endpoint, and only shown.
    const claims: unknown = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (!isObject(claims)) return null;
    const name = [claims.email, claims.preferred_username, claims.name, claims.sub].find(
      (one) => typeof one === 'string',
    );
    return name === undefined ? null : storableBeginning(name, NAME_CHARACTERS_MAX);
  } catch {
    return null;
  }
}

// The user or the server has ended the access, or the client is no longer known.
const ENDED = new Set<string>([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
  OAuthErrorCode.InvalidScope,
]);

// Addresses in the plugin's own documents must be public, whatever they say.
const egressOf = ({ url, settings: { issuer } }: SignInPlugin): Egress => ({
  allowPrivate: [url, ...(issuer ? [issuer] : [])],
});

const open = (plugin: SignInPlugin): GuardedFetch => createGuardedFetch(egressOf(plugin));

async function reaching<T>(plugin: SignInPlugin, work: (fetchFn: GuardedFetch['fetch']) => Promise<T>): Promise<T> {
  const guarded = open(plugin);
  try {
    return await work(guarded.fetch);
  } catch (error) {
    throw error instanceof SignInFailed ? error : failed(error);
  } finally {
    await guarded.close();
  }
}

/** A server's error text may quote anything: the user gets only its error code. */
function failed(error: unknown): SignInFailed {
  const text =
    error instanceof OAuthError
      ? `The authorization server refused it: ${/^\w{1,64}$/.test(error.code) ? error.code : 'error'}.`
      : 'The authorization server gave no answer that can be used.';
  return new SignInFailed(text, { cause: error });
}

async function register(order: {
  issuer: string;
  metadata: AuthorizationServerMetadata;
  redirectUrl: string;
  scope: string | undefined;
  fetchFn: GuardedFetch['fetch'];
}): Promise<SignInPlace['client']> {
  const { issuer, metadata, redirectUrl, scope, fetchFn } = order;
  if (!metadata.registration_endpoint)
    throw new SignInFailed(
      'The authorization server registers no clients: an operator has to register the plugin with one.',
    );
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const method = ['client_secret_basic', 'client_secret_post', 'none'].find((one) => methods.includes(one));
  const registered = await registerClient(issuer, {
    metadata,
    clientMetadata: {
      client_name: 'Ledgerline',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'web',
      ...(method && { token_endpoint_auth_method: method }),
    },
    fetchFn,
    ...(scope !== undefined && { scope }),
  });
  const { client_id, client_secret, token_endpoint_auth_method } = registered;
  return {
    client_id,
    ...(client_secret !== undefined && { client_secret }),
    ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
  };
}

function bearer(tokens: OAuthTokens): OAuthTokens {
  if (tokens.token_type.toLowerCase() === 'bearer') return tokens;
  throw new SignInFailed('The authorization server gave no bearer token.');
}

function authenticate(metadata: AuthorizationServerMetadata, client: SignInPlace['client'], params: URLSearchParams) {
  const { client_id: id, client_secret: secret } = client;
  const method = selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported ?? []);
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  if (method === 'client_secret_basic') headers.set('authorization', `Basic ${btoa(`${id}:${secret}`)}`);
  else params.set('client_id', id);
  if (method === 'client_secret_post' && secret !== undefined) params.set('client_secret', secret);
  return headers;
}
