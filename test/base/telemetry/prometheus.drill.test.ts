import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { startChild, type Child } from '../../../ops/stack/process/child.ts';
import { freePort } from '../../../ops/stack/process/port.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { chatBody, chatPath, setGuardStage, told, type GuardStage } from '../../support/guardStage.ts';
import { describeWhen } from '../../support/needs.ts';
import { readText } from '../../support/sources.ts';
import { startApiProcess, type ApiProcess } from '../../support/startApi.ts';
import { startWorkerProcess, type RunningWorker } from '../../support/startWorker.ts';
import { startTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

// Debian's package `prometheus` contains both.
const programOf = (name: string) =>
  (process.env.PATH ?? '')
    .split(':')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
const [prometheus, promtool] = [programOf('prometheus'), programOf('promtool')];
const root = join(import.meta.dirname, '..', '..', '..');
const rulesPath = 'ops/deploy/monitoring/prometheus/alerts.yml';
const graceMs = 10_000;

interface Rule {
  alert: string;
  expr: string;
  for?: string;
}
const rules = parse(readText(rulesPath)) as { groups: { rules: Rule[] }[] };
const allRules = rules.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readText('ops/deploy/monitoring/grafana/ledgerline.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

describeWhen(prometheus && promtool, 'Prometheus')('Prometheus with the rules of ops/deploy/monitoring', () => {
  let temporal: TestTemporal;
  let stage: GuardStage<ApiProcess>;
  let worker: RunningWorker;
  let folder: TestFolder;
  let server: Child;
  let port: number;

  beforeAll(async () => {
    temporal = await startTestTemporal();
    const env = { METRICS_PORT: '0', TEMPORAL_ADDRESS: temporal.address };
    stage = await setGuardStage({ env, start: startApiProcess });
    worker = await startWorkerProcess({ ...stage.addresses, temporalAddress: temporal.address, env });
    folder = await makeFolder();
    await writeSettings(folder.path, {
      'ledgerline-api': portIn(stage.api.lines),
      'ledgerline-worker': portIn(worker.lines),
    });
    port = await freePort();
    server = await startChild({
      command: prometheus!,
      args: [
        `--config.file=${join(folder.path, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder.path, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      cwd: folder.path,
      env: {},
      onStdout: () => {},
      onStderr: () => {},
      stopSignal: 'SIGTERM',
    });
    await until(() =>
      ask('/-/ready').then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }, 600_000);
  afterAll(async () => {
    await server?.stop(graceMs);
    await folder?.remove();
    await worker?.stop();
    await stage?.close();
    await temporal?.stop();
  });

  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const read = async <T>(path: string): Promise<T> => {
    const { status, data, error } = (await (await ask(path)).json()) as { status: string; data: T; error?: string };
    if (status !== 'success') throw new Error(error);
    return data;
  };
  const query = (expr: string) =>
    read<{ result: { metric: object }[] }>(`/api/v1/query?query=${encodeURIComponent(expr)}`);
  const firing = async () => {
    const { alerts } = await read<{ alerts: { labels: Record<string, string>; state: string }[] }>('/api/v1/alerts');
    return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels);
  };

  test('takes the files as they are', () => {
    const check = (...args: string[]) => execFileSync(promtool!, ['check', ...args], { cwd: root, encoding: 'utf8' });
    expect(check('rules', rulesPath)).toContain(`${allRules.length} rules found`);
    expect(check('config', 'ops/deploy/monitoring/prometheus/prometheus.yml')).toContain('is valid');
  });

  test('reads both programs', async () => {
    const targets = async () => (await query('up == 1')).result.map(({ metric }) => (metric as { job: string }).job);
    await until(async () => (await targets()).length === 2);
    expect((await targets()).toSorted()).toEqual(['ledgerline-api', 'ledgerline-worker']);
  });

  test('knows each metric of the alerts and the dashboard, and evaluates each expression', async () => {
    await callUpstream(1, { stream: true });
    const named = [...allRules.map(({ alert, expr }) => ({ title: alert, expr })), ...panels];
    const namesIn = (expr: string) => expr.match(/\b(?:ledgerline|nodejs|process)_\w+/g) ?? [];
    const wanted = named.flatMap(({ title, expr }) =>
      namesIn(expr).map((name) => ({ title, name: name.replace(/_bucket$/, '') })),
    );
    const missing = async () => {
      const known = await read<object>('/api/v1/metadata');
      // A single process has no supervisor.
      return wanted.filter(({ name }) => !(name in known) && name !== 'ledgerline_process_up');
    };
    await until(async () => (await missing()).length === 0).catch(() => undefined);
    expect(await missing()).toEqual([]);
    for (const { title, expr } of named) expect([title, typeof (await query(expr)).result]).toEqual([title, 'object']);
  });

  test('has figures for each panel of the dashboard', async () => {
    // Nothing fails, and no run is open.
    const quiet = ['Failing requests', 'Open runs'];
    const empty = async () => {
      const results = panels.map(async ({ title, expr }) => ({ title, count: (await query(expr)).result.length }));
      return (await Promise.all(results)).filter(({ count }) => count === 0).map(({ title }) => title);
    };
    await until(async () => (await empty()).every((title) => quiet.includes(title))).catch(() => undefined);
    expect(await empty()).toEqual(quiet);
  });

  test('fires for an upstream that fails, and for a process that is gone; for nothing before', async () => {
    expect((await firing()).filter(({ alertname }) => alertname !== 'EventLoopBlocked')).toEqual([]);
    await callUpstream(12, { messages: told({ status: 500 }) });
    const isFiring = async (alert: string) => (await firing()).some((labels) => labels.alertname === alert);
    await until(() => isFiring('UpstreamFailing'));
    expect((await firing()).find(({ alertname }) => alertname === 'UpstreamFailing')).toMatchObject({
      upstream: 'main',
      severity: 'page',
    });
    await worker.stop();
    await until(() => isFiring('ProcessDown'));
    expect((await firing()).find(({ alertname }) => alertname === 'ProcessDown')).toMatchObject({
      job: 'ledgerline-worker',
    });
  });

  async function callUpstream(count: number, members: Record<string, unknown>): Promise<void> {
    const headers = { 'x-api-key': (await stage.account()).secret };
    for (let at = 0; at < count; at += 1)
      await (await stage.ask(chatPath, { headers, body: chatBody(members) })).text();
  }
});

function portIn(lines: string[]): number {
  return (JSON.parse(lines.find((line) => line.includes('"event":"metrics"'))!) as { port: number }).port;
}

/** The files of ops/deploy/monitoring with the ports of these programs, and with seconds instead of minutes. */
async function writeSettings(folder: string, ports: Record<string, number>): Promise<void> {
  const settings = parse(readText('ops/deploy/monitoring/prometheus/prometheus.yml')) as {
    global: object;
    scrape_configs: { job_name: string; static_configs: object[] }[];
  };
  settings.global = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' };
  for (const job of settings.scrape_configs) job.static_configs = [{ targets: [`127.0.0.1:${ports[job.job_name]}`] }];
  const quick = rules.groups.map((group) => ({
    ...group,
    rules: group.rules.map((rule) => ({ ...rule, ...(rule.for && { for: '2s' }) })),
  }));
  await writeFile(join(folder, 'prometheus.yml'), stringify(settings));
  await writeFile(join(folder, 'alerts.yml'), stringify({ groups: quick }));
}
