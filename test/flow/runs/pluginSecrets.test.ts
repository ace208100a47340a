import { afterAll, expect, test } from '@jest/globals';
import { disablePlugin, registerPlugin } from '../../../db/plugins/plugins.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { setAgentCallStage, told } from '../../clients/agentCallStage.ts';
import { publishAgent } from '../../support/agent.ts';
import { read } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { openTemporalClient } from '../../support/temporal.ts';
import { startSite } from '../../tools/webStage.ts';

const canary = 'canary-8Zt3Lm5Q';
const place = '/v1/plugins/mailer/secrets';
const seen = new Set<unknown>();

const stage = await setAgentCallStage();
const site = await startSite((request, response) => {
  seen.add(request.headers['x-mail-key']);
  response.writeHead(500).end(`your key is ${String(request.headers['x-mail-key'])}`);
});
const secret = { name: 'api_key', description: 'Of your mail account.', header: 'x-mail-key', template: 'Key {}' };
const mailer = { id: 'mailer', version: '1.0', name: 'Mailer', headers: {}, secrets: [secret] };
const register = () =>
  registerPlugin(stage.db.everywhere, stage.pluginKeys, { ...mailer, url: `http://127.0.0.1:${site.port}/mcp` });
await register();
const owner = { workspaceId: stage.publisher.workspaceId };
const agent = await publishAgent(stage.db, { plugins: [{ plugin_id: 'mailer', version: '1.0' }] }, owner);
const { workspaceId } = stage.stranger;
const manager = (await createKey(stage.db.everywhere, { workspaceId, name: 'manager', scopes: ['manage'] })).secret;
afterAll(async () => {
  await stage.close();
  await site.stop();
});

const run = (key = stage.stranger.secret) =>
  stage.call('/v1/runs', { key, body: { agent, input: told({ text: 'Sent.' }), timeout_seconds: 60 } });
const change = (body: object, key = manager) => stage.call(place, { key, method: 'PUT', body });

type Run = { id: string; status: string; held_usd: number; required_action: { type: string } | null };
const readRun = (id: string, key?: string) =>
  read<Run>(stage.call(`/v1/runs/${id}`, { key: key ?? stage.stranger.secret }), 200);

async function waitingRun(): Promise<Run> {
  const { id } = await read<Run>(run(), 202);
  await until(async () => (await readRun(id)).status === 'requires_action', { timeoutMs: 60_000 });
  return readRun(id);
}

test('a chat has no place for what a plugin needs: it is refused, and says where to set it', async () => {
  const messages = [{ role: 'user', content: told({ text: 'Sent.' }) }];
  const { secret: key } = stage.stranger;
  const refused = await stage.call('/v1/chat/completions', { key, body: { model: agent, messages } });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { code: 'plugin_secret_missing', message: expect.stringContaining(`PUT ${place}`) } },
  ]);
});

test('a run asks for a missing plugin secret, holds no money meanwhile, and can be cancelled', async () => {
  const waiting = await waitingRun();
  expect(waiting).toMatchObject({
    held_usd: 0,
    required_action: {
      type: 'plugin_secret',
      plugin: 'mailer',
      version: '1.0',
      secret: 'api_key',
      message: expect.stringContaining(`PUT ${place}`),
      url: expect.stringContaining('/plugins?plugin=mailer'),
      step_id: expect.stringMatching(/^step_/),
      expires_at: expect.any(String),
    },
  });
  const { secret: key } = stage.stranger;
  const input = { type: 'text', text: canary };
  const refused = await stage.call(`/v1/runs/${waiting.id}/input`, { key, body: input });
  expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: 'input_not_wanted' } }]);
  await stage.call(`/v1/runs/${waiting.id}/cancel`, { key, body: {} });
  await until(async () => (await readRun(waiting.id)).status === 'cancelled', { timeoutMs: 60_000 });
  expect(await stage.lastRun()).toMatchObject({ total_nanos: '0' });

  const listed = await read<object>(stage.call(place, { key: manager }), 200);
  expect(listed).toMatchObject({ data: [{ name: 'api_key', description: 'Of your mail account.', set_at: null }] });
});

test('over A2A the task asks for it, and no message of the task answers', async () => {
  const { secret: key } = stage.stranger;
  const parts = [{ text: told({ text: 'Sent.' }) }];
  const send = (message: object) => stage.call(`/a2a/${agent}/message:send`, { key, body: { message } });
  type Sent = { task: { id: string; status: { state: string; message: { parts: { text: string }[] } } } };
  const { task } = await read<Sent>(send({ messageId: 'plugin-1', role: 'ROLE_USER', parts }), 200);
  expect(task.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
  expect(task.status.message.parts[0]!.text).toContain(`PUT ${place}`);
  const answered = await send({ messageId: 'plugin-2', role: 'ROLE_USER', taskId: task.id, parts: [{ text: canary }] });
  expect(await answered.json()).toMatchObject({ error: { message: expect.stringContaining(`PUT ${place}`) } });
  await stage.call(`/v1/runs/${task.id}/cancel`, { key, body: {} });
});

test('only a manager sets secrets, only declared ones, and only what a header can carry', async () => {
  expect((await change({ secrets: { api_key: canary } }, stage.stranger.secret)).status).toBe(403);
  const codes = [{ other: canary }, { api_key: 'short' }, { api_key: `${canary}\r\nx: y` }];
  for (const secrets of codes) expect((await change({ secrets })).status).toBe(422);
  expect((await stage.call('/v1/plugins/none/secrets', { key: manager })).status).toBe(404);
});

test('a secret reaches its plugin, for its workspace alone, and no table, history, answer or log', async () => {
  const { id } = await waitingRun();
  expect(seen).toEqual(new Set());
  const set = await change({ secrets: { api_key: canary } });
  expect([set.status, await set.text()]).toEqual([200, expect.not.stringContaining(canary)]);
  await until(async () => (await stage.lastRun()).settled_at !== null, { timeoutMs: 60_000 });
  expect(await stage.lastRun()).toMatchObject({ id, status: 'failed', total_nanos: '0' });
  expect(seen).toEqual(new Set([`Key ${canary}`]));

  const tables = ['plugin_secrets', 'plugins', 'runs', 'run_events', 'run_steps', 'audit_entries'];
  for (const table of tables) {
    const { rows } = await stage.db.pool.query(`select t::text as row from ${table} t`);
    expect(JSON.stringify(rows)).not.toContain(canary);
  }
  expect(stage.api.lines.join('\n')).not.toContain(canary);
  const history = await historyOf(id);
  expect(history).toContain('A plugin cannot be used.');
  expect(history).not.toContain(canary);

  // Also from a plugin that is off: it is shown as long as it has something of the workspace.
  await disablePlugin(stage.db.everywhere, mailer);
  const plugins = () => read<{ data: unknown[] }>(stage.call('/v1/plugins', { key: manager }), 200);
  expect((await plugins()).data).toMatchObject([{ plugin_id: 'mailer', secrets: [{ set_at: expect.any(String) }] }]);
  expect((await change({ secrets: { api_key: canary } })).status).toBe(404);
  await read(stage.call(place, { key: manager, method: 'DELETE' }), 200);
  expect((await plugins()).data).toEqual([]);
  await register();
  expect((await waitingRun()).required_action).toMatchObject({ type: 'plugin_secret' });
});

/** All data in Temporal about a run, with decoded payloads. */
async function historyOf(runId: string): Promise<string> {
  const { client, close } = await openTemporalClient(stage.temporal);
  try {
    const history = await client.workflow.getHandle(runId).fetchHistory();
    return JSON.stringify(history, (_, value: { type?: string; data: number[] } | null) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('utf8') : value,
    );
  } finally {
    await close();
  }
}
