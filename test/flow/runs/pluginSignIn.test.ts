import { afterAll, expect, test } from '@jest/globals';
import { disablePlugin, registerPlugin } from '../../../db/plugins/plugins.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { setAccountStage, type AccountStage } from '../../api/accounts/accountStage.ts';
import { told, call } from '../../clients/agentCallStage.ts';
import { publishAgent } from '../../support/agent.ts';
import { startWorkerProcess } from '../../support/startWorker.ts';
import { startTestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { startSignInServer } from '../../tools/signInServer.ts';

type Person = Awaited<ReturnType<AccountStage['person']>>;
type Run = { id: string; status: string; held_usd: number; required_action: Record<string, unknown> | null };
type SignIn = { status: string; account: string | null; connected_by: string | null; url: string };

const pluginSecretsKey = createSealingKey();

const temporal = await startTestTemporal();
const stage = await setAccountStage({ env: { TEMPORAL_ADDRESS: temporal.address } });
const server = await startSignInServer();
const notes = { id: 'notes', version: '1', name: 'Notes', url: server.url, headers: {} };
const signIn = { issuer: server.issuer };
const keys = parseSealingKeys(pluginSecretsKey);
await registerPlugin(stage.db.everywhere, keys, { ...notes, signIn });
const env = { PLUGIN_SECRETS_KEY: pluginSecretsKey, SANDBOX_TIER: 'quickjs', PUBLIC_URL: 'https://console.example' };
const worker = await startWorkerProcess({ ...stage.addresses, temporalAddress: temporal.address, env });
const [ada, bob] = [await stage.person(), await stage.person()];
const workspaceId = ada.me.workspace.id;
await Promise.all([stage.credit(workspaceId, '5'), stage.credit(bob.me.workspace.id, '5')]);
const agent = await publishAgent(stage.db, { plugins: [{ plugin_id: 'notes', version: '1' }] }, { workspaceId });
afterAll(async () => {
  await worker.stop();
  await stage.close();
  await server.stop();
  await temporal.stop();
});

const keeping = told({ turns: [{ toolCalls: [call('notes__keep', { text: 'milk' })] }, { text: 'Kept.' }] });
const begin = (person: Person) =>
  person.post<{ authorization_url: string }>('plugins/notes/sign-in').then(({ status, body }) => {
    expect([status, body]).toMatchObject([201, { object: 'plugin.sign_in_attempt' }]);
    return body.authorization_url;
  });
const bring = (person: Person, back: URL) => {
  const { state, code, iss, error } = Object.fromEntries(back.searchParams);
  return person.post<SignIn & { error: { code: string } }>('plugin-sign-ins', { state, code, iss, error });
};
const readRun = async (id: string) => (await ada.get<Run>(`runs/${id}`)).body;

async function startRun(person: Person): Promise<string> {
  const started = await person.post<Run>('runs', { agent, input: keeping });
  expect(started.status).toBe(202);
  return started.body.id;
}

async function waitingRun(): Promise<Run> {
  const id = await startRun(ada);
  await until(async () => (await readRun(id)).status === 'requires_action', { timeoutMs: 120_000 });
  return readRun(id);
}

test('a run waits for the sign-in at no cost, goes on when its workspace has signed in, and calls the plugin', async () => {
  const waiting = await waitingRun();
  expect(waiting).toMatchObject({
    held_usd: 0,
    required_action: { type: 'plugin_sign_in', plugin: 'notes', url: 'https://console.example/plugins?plugin=notes' },
  });
  const authorizationUrl = await begin(ada);
  expect(new URL(authorizationUrl).searchParams.get('redirect_uri')).toMatch(/\/plugins\/signed-in$/);
  const back = server.decide(authorizationUrl);

  // Another session or a changed state is refused.
  expect((await bring(bob, back)).body.error.code).toBe('sign_in_not_found');
  const otherBrowser = stage.browser();
  await otherBrowser.post('auth/sign-in/email', { email: ada.email, password: 'correct horse battery' });
  expect((await bring({ ...ada, ...otherBrowser }, back)).body.error.code).toBe('sign_in_not_found');
  const changed = new URL(back);
  changed.searchParams.set('state', 'x');
  expect((await bring(ada, changed)).body.error.code).toBe('sign_in_not_found');
  expect(server.tokens().access).toEqual([]);

  const signedIn = await bring(ada, back);
  expect([signedIn.status, signedIn.body]).toMatchObject([
    200,
    {
      status: 'connected',
      account: 'ada@notes.example',
      connected_by: ada.email,
      scope: 'notes',
      issuer: server.issuer,
    },
  ]);
  expect((await bring(ada, back)).body.error.code).toBe('sign_in_not_found');
  await until(async () => (await readRun(waiting.id)).status === 'completed', { timeoutMs: 120_000 });
  expect(server.seen.calls).toEqual(['milk']);
});

test('no code, verifier or token is in a table, an answer or a log, and the sign-in serves no other workspace', async () => {
  const tokens = [...server.tokens().access, ...server.tokens().refresh];
  expect(tokens).toHaveLength(2);
  const tables = ['plugin_sign_ins', 'plugin_sign_in_attempts', 'plugins', 'runs', 'run_events', 'run_steps'];
  for (const table of tables) {
    const { rows } = await stage.db.pool.query(`select t::text as row from ${table} t`);
    expect([table, rows.length > 0, JSON.stringify(rows).includes('canary')]).toEqual([table, true, false]);
  }
  const shown = JSON.stringify([(await ada.get('plugins')).body, stage.api.lines, worker.lines]);
  for (const token of tokens) expect(shown).not.toContain(token);

  expect((await bob.get<SignIn>('plugins/notes/sign-in')).body).toMatchObject({ status: 'missing', account: null });
  const id = await startRun(bob);
  await until(async () => (await bob.get<Run>(`runs/${id}`)).body.status === 'requires_action', {
    timeoutMs: 120_000,
  });
  await bob.post(`runs/${id}/cancel`);
});

test('an access that was withdrawn is asked for again by the next run, which then goes on', async () => {
  server.withdraw();
  const { id } = await waitingRun();
  expect((await ada.get<SignIn>('plugins/notes/sign-in')).body.status).toBe('ended');
  await bring(ada, server.decide(await begin(ada)));
  await until(async () => (await readRun(id)).status === 'completed', { timeoutMs: 120_000 });
  expect(server.seen.calls).toEqual(['milk', 'milk']);
});

test('connecting anew, twice at once, leaves the tokens of one sign-in and revokes the others', async () => {
  const backs = [await begin(ada), await begin(ada)].map((url) => server.decide(url));
  const answers = await Promise.all(backs.map((back) => bring(ada, back)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await until(() => server.tokens().refresh.length === 1, { timeoutMs: 60_000 });
  expect(server.seen.revoked).toHaveLength(2);
  const id = await startRun(ada);
  await until(async () => (await readRun(id)).status === 'completed', { timeoutMs: 120_000 });
  expect(server.seen.calls).toEqual(['milk', 'milk', 'milk']);
});

test('a plugin whose address changes while a member signs in gets no token', async () => {
  const [back, had] = [server.decide(await begin(ada)), server.tokens().access.length];
  await registerPlugin(stage.db.everywhere, keys, { ...notes, url: 'https://moved.example/mcp', signIn });
  const refused = await bring(ada, back);
  await registerPlugin(stage.db.everywhere, keys, { ...notes, signIn });
  expect([refused.status, refused.body.error.code, server.tokens().access.length]).toEqual([
    502,
    'sign_in_failed',
    had,
  ]);
  expect((await ada.get<SignIn>('plugins/notes/sign-in')).body.status).toBe('connected');
});

test('a refusal is shown, a manager disconnects even a disabled plugin, and the tokens are revoked', async () => {
  const refused = await bring(ada, server.decide(await begin(ada), { isGranted: false }));
  expect([refused.status, refused.body]).toMatchObject([
    502,
    { error: { code: 'sign_in_failed', message: 'The access was not granted.' } },
  ]);
  const [refreshToken] = server.tokens().refresh;
  const { id: workspaceId } = ada.me.workspace;
  const manager = await createKey(stage.db.everywhere, { workspaceId, name: 'manager', scopes: ['manage'] });
  const headers = { authorization: `Bearer ${manager.secret}` };
  const listed = await stage.ask('/v1/plugins', { headers });
  expect(await listed.json()).toMatchObject({ data: [{ plugin_id: 'notes', sign_in: { status: 'connected' } }] });
  await disablePlugin(stage.db.everywhere, notes);
  const stillListed = await stage.ask('/v1/plugins', { headers });
  expect(await stillListed.json()).toMatchObject({ data: [{ plugin_id: 'notes', sign_in: { status: 'connected' } }] });
  expect((await ada.post('plugins/notes/sign-in')).status).toBe(404);
  const gone = await stage.ask('/v1/plugins/notes/sign-in', { method: 'DELETE', headers });
  expect(await gone.json()).toMatchObject({ status: 'missing', account: null });
  expect(await (await stage.ask('/v1/plugins', { headers })).json()).toMatchObject({ data: [] });
  await until(() => server.seen.revoked.includes(refreshToken!), { timeoutMs: 60_000 });
  const left = async () => (await stage.db.pool.query('select from plugin_sign_ins')).rowCount;
  await until(async () => (await left()) === 0, { timeoutMs: 60_000 });
  const audited = `select action, key_id, user_id from audit_entries where subject_type = 'plugin' order by created_at`;
  const { rows: entries } = await stage.db.pool.query(audited);
  const signedIn = { action: 'sign_in_to_plugin', key_id: null, user_id: expect.any(String) };
  expect(entries.length).toBeGreaterThan(1);
  for (const entry of entries.slice(0, -1)) expect(entry).toEqual(signedIn);
  expect(entries.at(-1)).toEqual({ action: 'disconnect_plugin', key_id: manager.id, user_id: null });
});
