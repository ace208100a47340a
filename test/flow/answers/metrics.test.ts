import { afterAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TASK_QUEUE } from '../../../contracts/start.ts';
import { chatBody, chatPath, setGuardStage } from '../../support/guardStage.ts';
import { startWorkerProcess } from '../../support/startWorker.ts';
import { startTestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

// The server may have to be obtained first.
const temporal = await startTestTemporal();
const env = { METRICS_PORT: '0', TEMPORAL_ADDRESS: temporal.address };
const stage = await setGuardStage({ env });
// What is not configured is not reported.
const workerEnv = {
  ...env,
  BACKUP_DIR: join(tmpdir(), 'no-backups'),
  DATABASE_DISK_DIR: tmpdir(),
  CERTIFICATE_URL: 'https://192.0.2.1',
  STRIPE_SECRET_KEY: 'sk_test_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
  STRIPE_API_URL: 'http://127.0.0.1:1',
};
const worker = await startWorkerProcess({ ...stage.addresses, temporalAddress: temporal.address, env: workerEnv });
afterAll(async () => {
  await worker.stop();
  await stage.close();
  await temporal.stop();
});

async function portIn(lines: string[]): Promise<number> {
  const found = () => lines.find((line) => line.includes('"event":"metrics"'));
  await until(() => found() !== undefined, { timeoutMs: 60_000 });
  return (JSON.parse(found()!) as { port: number }).port;
}

const lineOf = (line: string) => JSON.parse(line) as Record<string, unknown>;
const textAt = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();

test('the API counts requests by route, and what they cost', async () => {
  const { secret } = await stage.account();
  const headers = { authorization: `Bearer ${secret}` };
  await (await stage.ask(chatPath, { headers, body: chatBody() })).text();
  await stage.ask(`/v1/${'no-such-thing'.repeat(3)}`, { headers });
  const port = await portIn(stage.api.lines);
  const text = await textAt(port, '/metrics');
  expect(text).toContain(`ledgerline_http_requests_total{method="POST",route="${chatPath}",status="200"} 1`);
  expect(text).toContain('ledgerline_http_requests_total{method="GET",route="unknown",status="404"} 1');
  expect(text).toMatch(/ledgerline_charged_usd_total\{model="ledgerline-text-1"\} \d/);
  expect(text).toContain('ledgerline_ledger_healthy 1');
  expect(await textAt(port, '/readyz')).toBe('{"status":"ready"}');
});

test('the worker reports the platform: balances, holds, what waits, and Temporal', async () => {
  const port = await portIn(worker.lines);
  expect(await textAt(port, '/readyz')).toBe('{"status":"ready"}');
  let text = '';
  // The worker asks the database for them every five seconds, and a bill is posted a moment after its answer.
  const awaited = ['ledgerline_sweeper_running 1', 'ledgerline_upstream_requests{upstream="main",outcome="served"} 1'];
  await until(
    async () => {
      text = await textAt(port, '/metrics');
      return awaited.every((line) => text.includes(line));
    },
    { timeoutMs: 120_000, pollMs: 500 },
  );
  expect(text).toMatch(/ledgerline_balance_usd\{kind="posted"\} (9\.99|10)/);
  expect(text).toContain('ledgerline_accounts{kind="overdrawn"} 0');
  expect(text).toContain('ledgerline_temporal_backlog{queue="ledgerline",type="workflow"} 0');
  expect(text).toContain('ledgerline_written_off_usd{workspace="all"} 0');
  expect(text).toContain('ledgerline_absorbed_usd{workspace="all"} 0');
  expect(text).toContain('ledgerline_ledger_check_failures 0');
});

test('the worker counts workflow tasks that fail again and again, and logs why', async () => {
  const connection = await Connection.connect({ address: temporal.address });
  const { workflow } = new Client({ connection });
  // No code of this worker can carry it out.
  const hanging = await workflow.start('ofAnotherRelease', { taskQueue: TASK_QUEUE, workflowId: 'hanging' });
  const port = await portIn(worker.lines);
  const failures =
    /ledgerline_workflow_task_failures_total\{workflow="ofAnotherRelease",reason="WorkflowError"\} (\d+)/;
  await until(async () => Number(failures.exec(await textAt(port, '/metrics'))?.[1] ?? 0) > 1, { timeoutMs: 120_000 });
  const told = () => worker.lines.filter((line) => line.includes('Failing workflow task')).map(lineOf);
  await until(() => told().length > 0);
  expect(told()[0]).toMatchObject({ level: 40, msg: 'Failing workflow task', time: expect.any(String) });
  expect(JSON.stringify(told()[0])).toContain('ofAnotherRelease');
  await hanging.terminate();
  await connection.close();
});

test('every metric of the alerts and the dashboard exists', async () => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'ops', 'deploy', 'monitoring');
  const used = ['prometheus/alerts.yml', 'grafana/ledgerline.json']
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/\b(ledgerline|nodejs|process)_[a-z0-9_]+/g)!)
    .map((name) => name.replace(/_(bucket|count)$/, ''));
  const recorded = readFileSync(join(folder, 'prometheus', 'alerts.yml'), 'utf8').matchAll(/- record: (\w+)/g);
  const ports = [await portIn(stage.api.lines), await portIn(worker.lines)];
  const texts = await Promise.all(ports.map((port) => textAt(port, '/metrics')));
  const described = texts.join('\n').matchAll(/^# TYPE (\w+)/gm);
  // A single process has no supervisor.
  const known = new Set([...recorded, ...described].map(([, name]) => name!)).add('ledgerline_process_up');
  expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
});
