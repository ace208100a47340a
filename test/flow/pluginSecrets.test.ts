import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { registerPlugin } from '../../db/agents/plugins.ts';
import { createKey } from '../../db/keys/keyStore.ts';
import { setAgentCallStage, told, type AgentCallStage } from '../clients/agentCallStage.ts';
import { publishAgent } from '../support/agent.ts';
import { read } from '../support/http.ts';
import { until } from '../support/until.ts';
import { openTemporalClient } from '../support/temporal.ts';
import { startSite } from '../tools/webStage.ts';

const canary = 'canary-8Zt3Lm5Q';
const place = '/v1/plugins/mailer/secrets';
let stage: AgentCallStage;
let manager: string;
let agent: string;
let site: Awaited<ReturnType<typeof startSite>>;
const seen = new Set<unknown>();

beforeAll(async () => {
  stage = await setAgentCallStage();
  site = await startSite((request, response) => {
    seen.add(request.headers['x-mail-key']);
    response.writeHead(500).end(`your key is ${String(request.headers['x-mail-key'])}`);
  });
  const secret = { name: 'api_key', description: 'Of your mail account.', header: 'x-mail-key', template: 'Key {}' };
  await registerPlugin(stage.db.everywhere, stage.pluginKeys, {
    id: 'mailer',
    version: '1.0',
    name: 'Mailer',
    url: `http://127.0.0.1:${site.port}/mcp`,
    headers: {},
    secrets: [secret],
  });
  const owner = { workspaceId: stage.publisher.workspaceId };
  agent = await publishAgent(stage.db, { plugins: [{ plugin_id: 'mailer', version: '1.0' }] }, owner);
  const { workspaceId } = stage.stranger;
  manager = (await createKey(stage.db.everywhere, { workspaceId, name: 'manager', scopes: ['manage'] })).secret;
});
afterAll(async () => {
  await stage?.close();
  await site?.stop();
});

const run = (key = stage.stranger.secret) =>
  stage.call('/v1/runs', { key, body: { agent, input: told({ text: 'Sent.' }), timeout_seconds: 60 } });
const change = (body: object, key = manager) => stage.call(place, { key, method: 'PUT', body });

test('a run whose plugin lacks the secret of its caller is refused, and says where to set it', async () => {
  const refused = await run();
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { error: { code: 'plugin_secret_missing', message: expect.stringContaining(`PUT ${place}`) } },
  ]);
  const listed = await read<object>(stage.call(place, { key: manager }), 200);
  expect(listed).toMatchObject({ data: [{ name: 'api_key', description: 'Of your mail account.', set_at: null }] });
});

test('only a manager sets secrets, only declared ones, and only what a header can carry', async () => {
  expect((await change({ secrets: { api_key: canary } }, stage.stranger.secret)).status).toBe(403);
  const codes = [{ other: canary }, { api_key: 'short' }, { api_key: `${canary}\r\nx: y` }];
  for (const secrets of codes) expect((await change({ secrets })).status).toBe(422);
  expect((await stage.call('/v1/plugins/none/secrets', { key: manager })).status).toBe(404);
});

test('a secret reaches its plugin, for its workspace alone, and no table, history, answer or log', async () => {
  const set = await change({ secrets: { api_key: canary } });
  expect([set.status, await set.text()]).toEqual([200, expect.not.stringContaining(canary)]);
  const { id } = await read<{ id: string }>(run(), 202);
  await until(async () => (await stage.lastRun()).settled_at !== null, { timeoutMs: 60_000 });
  expect(await stage.lastRun()).toMatchObject({ id, status: 'failed', total_nanos: '0' });
  expect(seen).toEqual(new Set([`Key ${canary}`]));
  expect((await run(stage.publisher.secret)).status).toBe(422);

  const tables = ['plugin_secrets', 'plugins', 'runs', 'run_events', 'run_steps', 'audit_entries'];
  for (const table of tables) {
    const { rows } = await stage.db.pool.query(`select t::text as row from ${table} t`);
    expect(JSON.stringify(rows)).not.toContain(canary);
  }
  expect(stage.api.lines.join('\n')).not.toContain(canary);
  const history = await historyOf(id);
  expect(history).toContain('A plugin cannot be used.');
  expect(history).not.toContain(canary);

  await read(stage.call(place, { key: manager, method: 'DELETE' }), 200);
  expect((await run()).status).toBe(422);
});

/** Everything that Temporal stores about a run, with decoded payloads. */
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
