import { afterAll, beforeEach, expect, jest, test } from '@jest/globals';
import { openAccess } from '../../../activities/plugins/pluginTokens.ts';
import { signInActivities } from '../../../activities/plugins/signIns.ts';
import { PluginNeedsCaller, readPlugins, registerPlugin, type RegisteredPlugin } from '../../../db/plugins/plugins.ts';
import { findPluginNeeds } from '../../../db/plugins/pluginSecrets.ts';
import {
  answerAttempt,
  askAttempt,
  beginAttempt,
  connectPlugin,
  disconnectPlugin,
  findAttempt,
  findSignIn,
  openSignIn,
  resealSignIns,
} from '../../../db/plugins/pluginSignIns.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../../db/sealing/secretBox.ts';
import { PluginUnavailable } from '../../../tools/plugin.ts';
import { beginSignIn, finishSignIn, type SignedInPlugin } from '../../../tools/pluginSignIn.ts';
import { setTestDatabase } from '../../support/database.ts';
import { productGlobal } from '../../support/productRealm.ts';
import { startSignInServer, type SignInServer } from '../../tools/signInServer.ts';

const redirectUrl = 'https://console.example/plugins/signed-in';
const workspaceId = 'ws_own';
const begun = { pluginId: 'notes', pluginVersion: '1', userId: 'user_ada', sessionId: 'ses_ada', redirectUrl };
const wanted = [{ plugin_id: 'notes', version: '1' }];
const key = createSealingKey();
const keys = parseSealingKeys(key);
let server: SignInServer;
let plugin: RegisteredPlugin;

const db = await setTestDatabase();
const secrets = await openSecretBox(db.everywhere, keys);
beforeEach(async () => {
  await server?.stop();
  server = await startSignInServer();
  await db.pool.query('delete from plugin_sign_ins');
  const registered = { id: 'notes', version: '1', name: 'Notes', url: server.url, headers: {} };
  await registerPlugin(db.everywhere, keys, { ...registered, signIn: { issuer: server.issuer } });
  [plugin] = (await readPlugins(db.everywhere, keys, wanted)) as [RegisteredPlugin];
});
afterAll(async () => {
  await server?.stop();
  await db.close();
});

const activities = () => signInActivities({ db, secrets, pluginKeys: keys, workflows: { resume: async () => {} } });

/** Connects the workspace, with an access token that expires then. Returns the attempt. */
async function connect(expiresAt: Date | null): Promise<string> {
  const target = { url: server.url, settings: plugin.signIn! };
  const rows = db.write(workspaceId);
  const id = await beginAttempt(rows, { ...begun, stateHash: `${performance.now()}` });
  const asked = await beginSignIn(target, redirectUrl);
  await askAttempt(db.everywhere, (await findAttempt(rows, id))!, asked);
  const sent = server.decide(asked.authorizationUrl).searchParams;
  const content = await finishSignIn(target, asked.begun, { code: sent.get('code')!, iss: sent.get('iss')! });
  const shown = { url: server.url, issuer: server.issuer, scope: 'notes', account: 'ada', expiresAt };
  await connectPlugin(db.everywhere, (await findAttempt(rows, id))!, { ...shown, content });
  return id;
}

const soon = () => new Date(Date.now() + 30_000);
const over = () => new Date(Date.now() - 1_000);
const open = (workspace = workspaceId) =>
  openAccess({ everywhere: db.everywhere, secrets }, { workspaceId: workspace, plugin });
const tokenOf = async () => (await open()).token();
const stateOf = async () => (await findSignIn(db.everywhere, { workspaceId, pluginId: 'notes' }))!.state;

test('a token that ends soon is renewed once, however many processes use it, and the next one after it', async () => {
  await connect(soon());
  const [old] = server.tokens().access;
  const tokens = await Promise.all(Array.from({ length: 12 }, tokenOf));
  expect([server.seen.renewals, new Set(tokens).size]).toEqual([1, 1]);
  expect([tokens[0] === old, server.tokens().access.includes(tokens[0]!)]).toEqual([false, true]);
  expect(await tokenOf()).toBe(tokens[0]);
  // The first refresh token works once: the new one was stored.
  await db.pool.query(`update plugin_sign_ins set expires_at = now()`);
  expect(await tokenOf()).not.toBe(tokens[0]);
  expect(server.seen.renewals).toBe(2);
});

test('a token of a short life serves for half of it, and is not renewed at each use', async () => {
  server.settings.expiresIn = 60;
  await connect(new Date(Date.now() + 59_000));
  const [first] = server.tokens().access;
  expect([await tokenOf(), server.seen.renewals]).toEqual([first, 0]);
  await db.pool.query(`update plugin_sign_ins set expires_at = now() + interval '5 seconds'`);
  const renewed = await tokenOf();
  expect([await tokenOf(), renewed === first, server.seen.renewals]).toEqual([renewed, false, 1]);
});

test('a token that the plugin refuses is renewed once by all that were refused', async () => {
  await connect(null);
  const using = await Promise.all(Array.from({ length: 5 }, () => open()));
  const old = await using[0]!.token();
  const renewed = await Promise.all(using.map((one) => one.renew(old)));
  expect([server.seen.renewals, new Set(renewed).size]).toEqual([1, 1]);
});

test('a token that ends later than any date is kept when it is renewed', async () => {
  await connect(soon());
  const [old] = server.tokens().access;
  server.settings.expiresIn = 1e18;
  const renewed = await tokenOf();
  expect([renewed === old, server.tokens().access.includes(renewed)]).toEqual([false, true]);
  expect([await tokenOf(), await stateOf(), server.seen.renewals]).toEqual([renewed, 'connected', 1]);
});

test('a withdrawn access ends: the workspace is asked to sign in again', async () => {
  await connect(over());
  server.withdraw();
  await expect(tokenOf()).rejects.toThrow(PluginNeedsCaller);
  expect(await stateOf()).toBe('ended');
  const need = [{ type: 'plugin_sign_in', plugin: 'notes', version: '1' }];
  expect(await findPluginNeeds(db.everywhere, workspaceId, wanted)).toEqual(need);
  await connect(null);
  expect(await findPluginNeeds(db.everywhere, workspaceId, wanted)).toEqual([]);
});

test('authorization server away: a live token serves, an expired one does not, the sign-in stays', async () => {
  await connect(soon());
  const [live] = server.tokens().access;
  await server.stop();
  expect(await tokenOf()).toBe(live);
  await db.pool.query(`update plugin_sign_ins set expires_at = now() - interval '1 second'`);
  await expect(tokenOf()).rejects.toThrow(PluginUnavailable);
  expect(await stateOf()).toBe('connected');
  server = await startSignInServer();
});

test('a token that is renewed while the plugin is disconnected is revoked with the sign-in', async () => {
  await connect(soon());
  const place = { workspaceId, pluginId: 'notes' };
  const revoke = () => activities().revokePluginSignIn(place);
  server.settings.onRenewal = async () => {
    expect(await disconnectPlugin(db.write(workspaceId), { keyId: null, requestId: 'req_test' }, 'notes')).toBe(true);
    await expect(revoke()).rejects.toThrow('the tokens are being renewed');
  };
  await expect(tokenOf()).rejects.toThrow(PluginNeedsCaller);
  const [renewed] = server.tokens().refresh;
  expect([server.seen.renewals, await stateOf()]).toEqual([1, 'revoking']);
  await revoke();
  expect([server.seen.revoked, server.tokens().refresh]).toEqual([[renewed], []]);
  expect(await findSignIn(db.everywhere, place)).toBeUndefined();
});

test('whether tokens are being renewed does not depend on the clock of the worker', async () => {
  await connect(null);
  await disconnectPlugin(db.write(workspaceId), { keyId: null, requestId: 'req_test' }, 'notes');
  // By a process that has ended since.
  await db.pool.query(`update plugin_sign_ins set renewing_until = now() - interval '1 second'`);
  const { now } = productGlobal.Date;
  const clock = jest.spyOn(productGlobal.Date, 'now').mockImplementation(() => now() - 3_600_000);
  const place = { workspaceId, pluginId: 'notes' };
  await activities()
    .revokePluginSignIn(place)
    .finally(() => clock.mockRestore());
  expect([await findSignIn(db.everywhere, place), server.tokens().refresh]).toEqual([undefined, []]);
});

test('tokens that another sign-in replaces are revoked once, also of one that is being disconnected', async () => {
  await connect(null);
  const [first] = server.tokens().refresh;
  const second = await connect(null);
  await activities().revokeReplacedSignIn(second);
  await activities().revokeReplacedSignIn(second);
  expect(server.seen.revoked).toEqual([first]);
  const [replaced] = server.tokens().refresh;
  await disconnectPlugin(db.write(workspaceId), { keyId: null, requestId: 'req_test' }, 'notes');
  await activities().revokeReplacedSignIn(await connect(null));
  expect([server.seen.revoked, await stateOf()]).toEqual([[first, replaced], 'connected']);
  expect(server.tokens().refresh).toHaveLength(1);
});

test.each(['revoked', 'not yet revoked'])(
  'a token that is renewed while its workspace signs in anew, and is %s, is not used again',
  async (state) => {
    await connect(soon());
    let anew = '';
    server.settings.onRenewal = async () => {
      anew = await connect(null);
      if (state === 'revoked') await activities().revokeReplacedSignIn(anew);
    };
    const used = await tokenOf();
    await activities().revokeReplacedSignIn(anew);
    expect([server.seen.renewals, used]).toEqual([1, server.tokens().access[1]]);
    expect(server.tokens().refresh).toHaveLength(1);
  },
);

test('tokens of the same client and account stay: their revocation could end those that replace them', async () => {
  await server.stop();
  server = await startSignInServer({ clients: [{ client_id: 'mine', client_secret: 'secret' }] });
  const signIn = { issuer: server.issuer, clientId: 'mine', clientSecret: 'secret' };
  await registerPlugin(db.everywhere, keys, { ...plugin, name: 'Notes', url: server.url, signIn });
  [plugin] = (await readPlugins(db.everywhere, keys, wanted)) as [RegisteredPlugin];
  await connect(null);
  await activities().revokeReplacedSignIn(await connect(null));
  expect([server.seen.revoked, server.tokens().refresh.length]).toEqual([[], 2]);
});

test('a plugin that is disconnected while a code is exchanged stays so: the new tokens are revoked', async () => {
  const [rows, stateHash] = [db.write(workspaceId), 'disconnected'];
  const id = await beginAttempt(rows, { ...begun, stateHash });
  await activities().beginPluginSignIn(id);
  const sent = server.decide((await findAttempt(rows, id))!.authorizationUrl!).searchParams;
  const answer = { code: sent.get('code')!, iss: sent.get('iss')! };
  await answerAttempt(rows, { stateHash, sessionId: begun.sessionId, answer });
  server.settings.onExchange = async () =>
    void (await disconnectPlugin(rows, { keyId: null, requestId: 'r' }, 'notes'));
  await activities().finishPluginSignIn(id);
  expect(await findAttempt(rows, id)).toMatchObject({
    state: 'failed',
    failure: expect.stringMatching(/disconnected/),
  });
  expect(await findSignIn(db.everywhere, { workspaceId, pluginId: 'notes' })).toBeUndefined();
  expect([server.seen.revoked.length, server.tokens().refresh]).toEqual([1, []]);
});

test('a token serves its own workspace and its own address, and no copy of it another', async () => {
  await connect(null);
  await expect(open('ws_other')).rejects.toThrow(PluginNeedsCaller);
  await db.pool.query(
    `insert into plugin_sign_ins (workspace_id, plugin_id, plugin_version, url, issuer, state, sealed, user_id)
     select 'ws_other', plugin_id, plugin_version, url, issuer, state, sealed, user_id from plugin_sign_ins`,
  );
  await expect(open('ws_other')).rejects.toThrow(/unable to authenticate/i);
  const moved = { ...plugin, url: 'https://moved.example/mcp' };
  const opening = openAccess({ everywhere: db.everywhere, secrets }, { workspaceId, plugin: moved });
  await expect(opening).rejects.toThrow(PluginNeedsCaller);
});

test('tokens are sealed in the table, and sealed anew for the first key when a worker starts', async () => {
  await connect(null);
  const table = async () => JSON.stringify((await db.pool.query('select * from plugin_sign_ins')).rows);
  const [before, newKey] = [await table(), createSealingKey()];
  expect(before).not.toContain('canary');
  await resealSignIns(db.everywhere, await openSecretBox(db.everywhere, parseSealingKeys(`${newKey},${key}`)));
  const row = (await findSignIn(db.everywhere, { workspaceId, pluginId: 'notes' }))!;
  const opened = openSignIn(await openSecretBox(db.everywhere, parseSealingKeys(newKey)), row) as SignedInPlugin;
  expect(server.tokens().access).toContain(opened.tokens.access_token);
  expect(() => openSignIn(secrets, row)).toThrow(/sealed for the key/);
});
