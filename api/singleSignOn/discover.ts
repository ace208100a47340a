import { isObject } from '../../base/json.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import type { OidcConfiguration } from '../../db/entities/singleSignOn.ts';
import type { SingleSignOnConfig } from '../singleSignOnConfig.ts';
import { openProviderFetch } from './providerFetch.ts';

type Permitted = SingleSignOnConfig['singleSignOn'];

const METADATA_BYTES_MAX = 100 * 1024;
const METHODS = ['client_secret_basic', 'client_secret_post'] as const;

/**
 * Reads an OpenID provider's discovery document. Throws 400 `provider_unusable` with the reason: it does not answer, names another issuer,
 * lacks an endpoint, or has one that is not on the public internet with https.
 */
export async function discoverOidc(
  issuer: string,
  permitted: Permitted,
): Promise<Omit<OidcConfiguration, 'clientId' | 'scopes'>> {
  checkAddress(issuer, 'The issuer', permitted);
  const document = parsed(await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, permitted));
  if (document['issuer'] !== issuer)
    throw unusable(
      `The document names the issuer ${String(document['issuer']).slice(0, 200)}. State exactly that one.`,
    );
  const at = (name: string) => {
    const address = document[name];
    if (typeof address !== 'string') throw unusable(`The document has no ${name}.`);
    checkAddress(address, name, permitted);
    return address;
  };
  const offered = document['token_endpoint_auth_methods_supported'];
  const method = Array.isArray(offered) ? METHODS.find((one) => offered.includes(one)) : METHODS[0];
  if (!method) throw unusable('It takes no client secret: neither client_secret_basic nor client_secret_post.');
  return {
    authorizationEndpoint: at('authorization_endpoint'),
    tokenEndpoint: at('token_endpoint'),
    jwksEndpoint: at('jwks_uri'),
    tokenEndpointAuthentication: method,
  };
}

/** Reads SAML metadata from their address. Throws 400 `provider_unusable`. */
export async function fetchMetadata(address: string, permitted: Permitted): Promise<string> {
  checkAddress(address, 'The address of the metadata', permitted);
  return read(address, permitted);
}

/**
 * SAML metadata of one identity provider with its entity id, in the form that is kept. Throws 400 `provider_unusable`. Our requests are not
 * signed: nothing is secret in them, and the answer must name the request.
 */
export async function readMetadata(sent: string): Promise<{ metadata: string; entityId: string }> {
  if (Buffer.byteLength(sent) > METADATA_BYTES_MAX) throw unusable('The metadata are longer than 100 KiB.');
  // Entities of a document type could be expanded without end, and no provider needs them.
  if (/<!DOCTYPE|<!ENTITY/i.test(sent)) throw unusable('The metadata have a document type.');
  if (!REDIRECT.test(sent)) throw unusable('The metadata have no SingleSignOnService with the binding HTTP-Redirect.');
  if (!/<(?:\w+:)?X509Certificate[\s>]/.test(sent)) throw unusable('The metadata have no certificate for signatures.');
  const metadata = sent.replaceAll(/WantAuthnRequestsSigned="(?:true|1)"/g, 'WantAuthnRequestsSigned="false"');
  const { deriveSAMLIdentityProviderEntityID } = await import('@better-auth/sso');
  try {
    const entityId: unknown = deriveSAMLIdentityProviderEntityID({ idpMetadata: { metadata } });
    if (typeof entityId === 'string' && entityId !== '') return { metadata, entityId };
  } catch (cause) {
    throw unusable('The metadata cannot be read: they must be of one identity provider.', cause);
  }
  throw unusable('The metadata must be of one identity provider, with an entityID.');
}

// Within one tag: a search that went on through the next ones would take seconds for many of them.
const REDIRECT = /<(?:\w+:)?SingleSignOnService[^<>]*urn:oasis:names:tc:SAML:2\.0:bindings:HTTP-Redirect/;

async function read(address: string, permitted: Permitted): Promise<string> {
  const guarded = await openProviderFetch(permitted);
  // Reasons are logged, and the query may hold a secret.
  const { origin, pathname } = new URL(address);
  try {
    const answer = await guarded.fetch(address);
    if (answer.status !== 200) throw unusable(`${origin}${pathname} answers ${answer.status}.`);
    return await answer.text();
  } catch (cause) {
    throw (cause as { code?: unknown }).code === 'provider_unusable'
      ? cause
      : unusable(`${origin}${pathname} does not answer, or is not on the public internet.`, cause);
  } finally {
    await guarded.close();
  }
}

/** With https, a name that comes to point into the network of the installation has no certificate there. */
function checkAddress(address: string, name: string, { privateOrigins }: Permitted): void {
  const url = URL.parse(address);
  if (url?.username || url?.password) throw unusable(`${name} must have no user name and password.`);
  if (url && (url.protocol === 'https:' || privateOrigins.includes(url.origin))) return;
  throw unusable(`${name} must be an https address.`);
}

function parsed(text: string): Record<string, unknown> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw unusable('The discovery document is not JSON.', cause);
  }
  if (isObject(document)) return document;
  throw unusable('The discovery document is not a JSON object.');
}

function unusable(message: string, cause?: unknown) {
  const error = invalidRequest('provider_unusable', message);
  if (cause !== undefined) error.cause = cause;
  return error;
}
