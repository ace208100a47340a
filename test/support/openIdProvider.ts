import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import { listen } from '../../rules/scripted/startScripted.ts';
import { productGlobal } from './productRealm.ts';

/** What the provider says of a person. */
export interface ProvidedPerson {
  email: string;
  email_verified: boolean;
  name: string;
  groups?: string[];
}

export const CLIENT = { id: 'ledgerline', secret: 'a-secret-of-the-tests' };

/**
 * An OpenID provider on this machine, which asks only who signs in. It needs PKCE. `people` are found by the subject that its form takes.
 */
export async function startOpenIdProvider(redirectUris: () => string[]) {
  const people = new Map<string, ProvidedPerson>();
  const { url: issuer, stop } = await listen(0, (req, res) => void answer(req, res).catch(() => res.destroy()));
  // Made when it is used with these addresses: its clients know the API, which is started with the issuer's address.
  const made = new Map<string, Provider>();
  const provider = () => {
    const uris = redirectUris();
    const found = made.get(uris.join()) ?? createProvider(issuer, people, uris);
    made.set(uris.join(), found);
    return found;
  };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!req.url!.startsWith('/who/')) return provider().callback()(req, res);
    if (req.method === 'POST') {
      const accountId = new URLSearchParams(await text(req)).get('subject')!;
      return provider().interactionFinished(req, res, { login: { accountId } });
    }
    res.setHeader('content-type', 'text/html');
    res.end(`<!doctype html><html lang="en"><title>Who are you?</title><main><h1>Test provider</h1>
<form method="post"><label>Subject <input name="subject" required></label> <button>Continue</button></form></main>`);
  }

  return {
    issuer,
    people,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_LABEL: 'Example ID',
    },
    stop,
  };
}

function createProvider(issuer: string, people: Map<string, ProvidedPerson>, redirectUris: string[]): Provider {
  const configuration = {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: redirectUris }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: false,
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['of the tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/who/${uid}` },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    // Everything that a client asks for is granted.
    loadExistingGrant: async ({ oidc }: { oidc: Asked }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  return new Provider(issuer, ofProduct(configuration) as object);
}

/** The package takes only objects of its own realm for plain ones. */
function ofProduct(value: unknown): unknown {
  if (Array.isArray(value)) return productGlobal.Array.from(value.map(ofProduct));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, member]) => [name, ofProduct(member)] as const);
  return Object.assign(new productGlobal.Object(), Object.fromEntries(entries));
}

interface Asked {
  provider: Provider;
  client: { clientId: string };
  session: { accountId: string };
}
