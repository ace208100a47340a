import { afterEach, expect, test } from '@jest/globals';
import { openPlugin } from '../../tools/plugin.ts';
import {
  accountIn,
  beginSignIn,
  finishSignIn,
  renewSignIn,
  revokeSignIn,
  type SignedInPlugin,
} from '../../tools/pluginSignIn.ts';
import { SignInFailed } from '../../tools/signInDiscovery.ts';
import { contextOf } from './toolStage.ts';
import { startSignInServer, type SignInServer } from './signInServer.ts';
import { startSite } from './webStage.ts';

const redirectUrl = 'https://console.example/plugins/signed-in';
const started: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
});

async function start(oddities?: Parameters<typeof startSignInServer>[0]): Promise<SignInServer> {
  const server = await startSignInServer(oddities);
  started.push(server);
  return server;
}

const pluginOf = ({ url, issuer }: SignInServer, settings: object = {}) => ({ url, settings: { issuer, ...settings } });

async function signIn(server: SignInServer, settings: object = {}): Promise<SignedInPlugin> {
  const plugin = pluginOf(server, settings);
  const { authorizationUrl, begun } = await beginSignIn(plugin, redirectUrl);
  const { searchParams } = server.decide(authorizationUrl);
  return finishSignIn(plugin, begun, { code: searchParams.get('code')!, iss: searchParams.get('iss')! });
}

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SignInFailed);
  return (error as Error).message;
};

test('a client that registers itself signs in by PKCE, for the plugin alone, and its token opens the plugin', async () => {
  const server = await start();
  const signedIn = await signIn(server);
  const { searchParams: asked } = server.seen.authorizations[0]!;
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: 'code',
    client_id: 'client-0',
    code_challenge_method: 'S256',
    redirect_uri: redirectUrl,
    resource: server.url,
    scope: 'notes',
  });
  expect(server.clients.get('client-0')).toMatchObject({
    client_name: 'Ledgerline',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
  });
  expect(accountIn(signedIn)).toBe('ada@notes.example');
  // No text of a database has a NUL.
  const claims = Buffer.from('{"name":"a\\u0000da"}').toString('base64url');
  expect(accountIn({ ...signedIn, tokens: { ...signedIn.tokens, id_token: `e30.${claims}.` } })).toBe('a\ufffdda');
  const token = async () => signedIn.tokens.access_token;
  const opened = await openPlugin({ id: 'notes', version: '1', url: server.url, access: { token, renew: token } });
  const kept = await opened.tools[0]!.run({ text: 'milk' }, contextOf());
  expect([kept.text, server.seen.calls]).toEqual(['Kept: milk', ['milk']]);
  await opened.close();
});

test('a token that the plugin refuses is renewed once, and the call goes on', async () => {
  const server = await start();
  let signedIn = await signIn(server);
  server.endAccess();
  const refused: string[] = [];
  const access = {
    token: async () => signedIn.tokens.access_token,
    renew: async (token: string) => {
      refused.push(token);
      signedIn = await renewSignIn(pluginOf(server), signedIn);
      return signedIn.tokens.access_token;
    },
  };
  const [old] = [signedIn.tokens.access_token];
  const opened = await openPlugin({ id: 'notes', version: '1', url: server.url, access });
  expect([opened.tools.length, refused, server.seen.renewals]).toEqual([1, [old], 1]);
  await opened.close();
});

test('an operator’s client is used where clients do not register, and without one the sign-in cannot begin', async () => {
  const server = await start({ clients: [{ client_id: 'ours', client_secret: 'long-secret-of-ours' }] });
  const client = { clientId: 'ours', clientSecret: 'long-secret-of-ours', scope: 'notes.write' };
  const { tokens } = await signIn(server, client);
  expect(tokens).toMatchObject({ scope: 'notes.write' });
  expect(await failureOf(beginSignIn(pluginOf(server), redirectUrl))).toContain('registers no clients');
  const wrong = { ...client, clientSecret: 'another' };
  expect(await failureOf(signIn(server, wrong))).toBe('The authorization server refused it: invalid_client.');
});

test.each([[null], [['plain']]])('a server with the challenge methods %j is refused', async (challengeMethods) => {
  const server = await start({ challengeMethods });
  expect(await failureOf(beginSignIn(pluginOf(server), redirectUrl))).toContain('PKCE with S256');
});

test('an authorization server in the private network that the plugin names is not reached', async () => {
  const inside = await startSite((_request, response) => response.end('{}'));
  started.push(inside);
  const server = await start({ authorizationServers: [`http://127.0.0.1:${inside.port}`] });
  await failureOf(beginSignIn({ url: server.url, settings: {} }, redirectUrl));
  expect(inside.hits).toEqual([]);
  // A server that the operator has not registered is refused too.
  expect(await failureOf(beginSignIn(pluginOf(server), redirectUrl))).toContain('no longer names');
  expect([inside.hits, server.hits.server]).toEqual([[], []]);
});

test('metadata of another resource, another issuer’s answer, and a code of another sign-in are refused', async () => {
  const other = await start({ resource: 'https://other.example/mcp' });
  expect(await failureOf(beginSignIn(pluginOf(other), redirectUrl))).toContain('belongs to another server');
  const server = await start();
  const plugin = pluginOf(server);
  const [one, two] = [await beginSignIn(plugin, redirectUrl), await beginSignIn(plugin, redirectUrl)];
  const code = server.decide(one.authorizationUrl).searchParams.get('code')!;
  await failureOf(finishSignIn(plugin, one.begun, { code, iss: 'https://evil.example' }));
  await failureOf(finishSignIn(plugin, one.begun, { code }));
  expect(await failureOf(finishSignIn(plugin, two.begun, { code, iss: server.issuer }))).toContain('invalid_grant');
});

test('a withdrawn access ends, an outage does not end it, and a revocation reaches the server', async () => {
  const server = await start();
  const plugin = pluginOf(server);
  const [kept, withdrawn] = [await signIn(server), await signIn(server)];
  await revokeSignIn(plugin, kept);
  expect(server.seen.revoked).toEqual([kept.tokens.refresh_token]);
  server.withdraw();
  expect(await failureOf(renewSignIn(plugin, withdrawn))).toContain('invalid_grant');
  await server.stop();
  started.splice(0);
  const away = await renewSignIn(plugin, withdrawn).catch((error: unknown) => error);
  expect(away).not.toBeInstanceOf(SignInFailed);
});
