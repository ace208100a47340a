import { afterAll, expect, test } from '@jest/globals';
import { text } from 'node:stream/consumers';
import { rotateToolSecret } from '../../../db/agents/toolSecrets.ts';
import { openSandbox } from '../../../tools/sandbox/sandbox.ts';
import { call } from '../../clients/agentCallStage.ts';
import { setRunStage } from '../../support/runStage.ts';
import { until } from '../../support/until.ts';
import { startSite } from '../../tools/webStage.ts';

const canary = 'canary-4Qm8Xz';
const keys: string[] = [];

const sandbox = await openSandbox({ tier: 'quickjs' });
const stage = await setRunStage({ sandbox });
const site = await startSite((request, response) => {
  void (async () => {
    await text(request);
    keys.push(String(request.headers['idempotency-key']));
    // The first call never gets an answer.
    if (keys.length > 1) response.end('Shipped.');
  })();
});
afterAll(async () => {
  await site.stop();
  await stage.close();
  await sandbox.close();
});

test('a call whose worker is lost is made again under the same key, billed once, and not in the history', async () => {
  const worker = await stage.startWorker();
  const url = `http://127.0.0.1:${site.port}/`;
  const input_schema = { type: 'object', properties: { order: { type: 'string' } } };
  const http_tools = [{ name: 'find_order', description: 'Finds an order.', input_schema, url, timeout_seconds: 600 }];
  const turns = [{ toolCalls: [call('find_order', { order: canary })] }, { text: 'It is shipped.' }];
  const run = await stage.makeRun({ script: { turns }, settings: { http_tools } });
  const { agent_id: agentId } = run;
  await stage.db.pool.query(
    `insert into agents (id, workspace_id, namespace, slug, draft) values ($1, 'ws_publisher', 'kills', $1, '{}')`,
    [agentId],
  );
  await rotateToolSecret(stage.db.write('ws_publisher'), agentId, { keyId: null, requestId: 'req_test' });
  await stage.workflows.start(run);
  await until(() => keys.length === 1, { timeoutMs: 60_000 });
  await stage.stopWorker(worker);
  await stage.startWorker();
  const ended = await stage.endOf(run.id);
  expect(ended).toMatchObject({ status: 'completed', meters: { tool_calls: 1_000 } });
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
  const history = await stage.client.workflow.getHandle(run.id).fetchHistory();
  const payloads = [...JSON.stringify(history).matchAll(/"data":"([\w+/=]+)"/g)]
    .map(([, data]) => Buffer.from(data!, 'base64').toString('utf8'))
    .join('\n');
  expect(payloads).not.toContain(canary);
  // The history names no tool whose step is joined to that of the model.
  expect(payloads).toContain('"meters":{"tool_calls":1000}');
  const { steps } = JSON.parse(payloads.split('\n').find((line) => line.includes('"step":2,"meters"'))!) as Done;
  const sequences = steps.find(({ step }) => step === 2)!.events.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...new Set(sequences)]);
});

/** What an activity that carried steps has left in the history. */
interface Done {
  steps: { step: number; events: { sequence: number }[] }[];
}
