import { afterAll, expect, test } from '@jest/globals';
import { disablePlugin, registerPlugin } from '../../../db/plugins/plugins.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { setRunStage } from '../../support/runStage.ts';
import { startSite } from '../../tools/webStage.ts';

const canary = 'Bearer canary-51c9';

// The server may have to be obtained first.
const stage = await setRunStage();
await stage.startWorker();
afterAll(() => stage.close());

test("the credential of a plugin reaches the plugin, and neither the run's history nor a table", async () => {
  const seen = new Set<unknown>();
  const site = await startSite((request, response) => {
    seen.add(request.headers.authorization);
    response.writeHead(500).end(`your credential is ${request.headers.authorization}`);
  });
  const plugin = { id: 'search', version: '1.0', name: 'Search', url: `http://127.0.0.1:${site.port}/mcp` };
  await registerPlugin(stage.db.everywhere, stage.pluginKeys, { ...plugin, headers: { authorization: canary } });
  const run = await stage.runToEnd({ plugins: [{ plugin_id: 'search', version: '1.0' }], timeoutSeconds: 60 });
  expect(run.status).toBe('failed');
  expect(seen).toEqual(new Set([canary]));
  expect(await historyOf(run.id)).not.toContain('canary');
  expect(await tablesOf()).not.toContain('canary');
  await site.stop();
});

test('a plugin that is switched off or cannot be unsealed ends its run as `plugin_unavailable`, unbilled', async () => {
  const plugin = { version: '1.0', name: 'Search', url: 'http://127.0.0.1:9/mcp', headers: { authorization: canary } };
  const { everywhere } = stage.db;
  await registerPlugin(everywhere, stage.pluginKeys, { ...plugin, id: 'off' });
  await disablePlugin(everywhere, { ...plugin, id: 'off' });
  await registerPlugin(everywhere, parseSealingKeys(createSealingKey()), { ...plugin, id: 'sealed' });
  // Side by side: each is tried for five seconds.
  const running = ['off', 'sealed'].map((id) =>
    stage.runToEnd({ plugins: [{ plugin_id: id, version: '1.0' }], timeoutSeconds: 60 }),
  );
  for (const [at, run] of (await Promise.all(running)).entries()) {
    const message = expect.stringMatching(`^The plugin ${['off', 'sealed'][at]} of the agent is unavailable`);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'plugin_unavailable', message } });
    expect(run.total_nanos).toBe('0');
  }
});

/** All data in Temporal about a run, with decoded payloads. */
async function historyOf(runId: string): Promise<string> {
  const history = await stage.client.workflow.getHandle(runId).fetchHistory();
  const text = JSON.stringify(history, (_, value: { type?: string; data: number[] } | null) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('utf8') : value,
  );
  expect(text).toContain('A plugin cannot be used.');
  return text;
}

async function tablesOf(): Promise<string> {
  const tables = ['plugins', 'runs', 'run_events', 'run_steps', 'agent_versions'];
  const read = (table: string) => stage.db.pool.query(`select t::text from ${table} t`);
  const answers = await Promise.all(tables.map(read));
  expect(answers.every(({ rows }, at) => rows.length > 0 || tables[at] === 'run_steps')).toBe(true);
  return JSON.stringify(answers.map(({ rows }) => rows));
}
