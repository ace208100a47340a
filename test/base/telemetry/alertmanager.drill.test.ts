import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startChild, type Child } from '../../../ops/stack/process/child.ts';
import { freePort } from '../../../ops/stack/process/port.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { startMailServer } from '../../support/mailServer.ts';
import { ALERTMANAGER_PATH, programOf, readRules } from '../../support/monitoring.ts';
import { describeWhen } from '../../support/needs.ts';
import { readText } from '../../support/sources.ts';
import { until } from '../../support/until.ts';

const FACTOR = 10;
// Debian's name of it first.
const alertmanager = programOf('prometheus-alertmanager', 'alertmanager');
const rules = readRules().groups.flatMap((group) => group.rules);

/** A message that Slack or PagerDuty got. */
interface Message {
  path: string;
  body: Record<string, unknown>;
}

describeWhen(alertmanager, 'Alertmanager')('Alertmanager with the files of ops/deploy/monitoring', () => {
  let folder: TestFolder;
  let mails: Awaited<ReturnType<typeof startMailServer>>;
  let vendor: Server;
  let server: Child;
  let port: number;
  const messages: Message[] = [];

  beforeAll(async () => {
    folder = await makeFolder();
    mails = await startMailServer();
    vendor = createServer((request, response) => {
      const isPager = request.url === '/pagerduty';
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Message['body'];
        messages.push({ path: request.url!, body });
        response.writeHead(isPager ? 202 : 200).end('ok');
      });
    });
    await once(vendor.listen(0, '127.0.0.1'), 'listening');
    await writeFiles();
    [port] = [await freePort()];
    server = await startChild({
      command: alertmanager!,
      args: [
        `--config.file=${join(folder.path, 'alertmanager.yml')}`,
        `--storage.path=${join(folder.path, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
      cwd: folder.path,
      env: {},
      onStdout: () => {},
      onStderr: () => {},
      stopSignal: 'SIGTERM',
    });
    await until(() =>
      fetch(`http://127.0.0.1:${port}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    await server?.stop(10_000);
    vendor?.close();
    mails?.server.close();
    await folder?.remove();
  });

  /** The files as they are, with waits ten times shorter, local addresses and made-up secrets. */
  async function writeFiles(): Promise<void> {
    const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
    const wait = /^(\s+group_(?:wait|interval): )(\d+)(s|m)$/gm;
    const settings = readText(join(ALERTMANAGER_PATH, 'alertmanager.yml'))
      .replaceAll('/etc/alertmanager', folder.path)
      .replace(/smtp_smarthost: .*/, `smtp_smarthost: '${new URL(mails.url).host}'\n  smtp_require_tls: false`)
      .replace(/^global:$/m, `global:\n  pagerduty_url: ${url}/pagerduty`)
      .replaceAll(wait, (_, name: string, count: string, unit: string) => {
        const seconds = Number(count) * (unit === 'm' ? 60 : 1);
        return `${name}${(seconds * 1000) / FACTOR}ms`;
      });
    await mkdir(join(folder.path, 'secrets'));
    await mkdir(join(folder.path, 'templates'));
    await writeFile(join(folder.path, 'alertmanager.yml'), settings);
    await writeFile(join(folder.path, 'secrets', 'slack_url'), `${url}/slack`);
    await writeFile(join(folder.path, 'secrets', 'pagerduty_key'), 'key-of-the-drill');
    await writeFile(join(folder.path, 'secrets', 'smtp_password'), 'password-of-the-drill');
    const template = readText(join(ALERTMANAGER_PATH, 'templates', 'ledgerline.tmpl'));
    await writeFile(join(folder.path, 'templates', 'ledgerline.tmpl'), template);
  }

  /** Tells Alertmanager of alerts as Prometheus does, with the labels and annotations of the rules. */
  async function tell(alerts: { alert: string; labels?: Record<string, string>; isOver?: boolean }[]): Promise<void> {
    const body = alerts.map(({ alert, labels, isOver }) => {
      const rule = rules.find((one) => one.alert === alert)!;
      const time = new Date().toISOString();
      return {
        labels: { alertname: alert, ...rule.labels, ...labels },
        annotations: rule.annotations,
        ...(isOver ? { endsAt: time } : { startsAt: time, endsAt: new Date(Date.now() + 3_600_000).toISOString() }),
      };
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${port}/api/v2/alerts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  }

  const sent = (path: string, alert: string) =>
    messages.filter((message) => message.path === path && JSON.stringify(message.body).includes(alert));
  const mailed = (alert: string) => mails.received.filter((mail) => mail.includes(alert));

  test('a page reaches PagerDuty, Slack and a mailbox, with its summary and its runbook', async () => {
    await tell([{ alert: 'WorkersGone' }]);
    await until(() => sent('/pagerduty', 'WorkersGone').length > 0 && sent('/slack', 'WorkersGone').length > 0);
    await until(() => mailed('WorkersGone').length > 0);
    const title = '[page] WorkersGone: No worker answers: runs, batches, webhooks and checks stand still';
    const runbook = 'https://git.example/ledgerline/blob/main/docs/operate/runbooks/alerts.md#workersgone';
    expect(sent('/pagerduty', 'WorkersGone')[0]!.body).toMatchObject({
      routing_key: 'key-of-the-drill',
      event_action: 'trigger',
      client_url: runbook,
      payload: { summary: title, severity: 'critical', custom_details: { runbook } },
    });
    expect(sent('/slack', 'WorkersGone')[0]!.body).toMatchObject({
      channel: '#ledgerline-pages',
      attachments: [{ color: 'danger', title, title_link: runbook }],
    });
    const [mail] = mailed('WorkersGone');
    expect(mail).toContain('To: operators@example.com');
    expect(mail).toContain('Subject: [page] WorkersGone');
    expect(mail).toContain('What to do: https://git.example/ledgerline');
  });

  test('what follows from it is not sent, and another fault is', async () => {
    const of = { job: 'ledgerline-worker', instance: 'w:9464' };
    await tell([
      { alert: 'SweeperStopped' },
      { alert: 'WorkersBehind', labels: { queue: 'ledgerline', type: 'workflow' } },
      { alert: 'ProcessDown', labels: of },
      { alert: 'LimitStoreDown', labels: { job: 'ledgerline-api', instance: 'a:9464' } },
      { alert: 'ProcessRestarts', labels: { job: 'ledgerline-api', instance: 'a:9464' } },
    ]);
    for (const other of ['LimitStoreDown', 'ProcessRestarts']) await until(() => sent('/pagerduty', other).length > 0);
    expect(sent('/pagerduty', 'SweeperStopped')).toEqual([]);
    expect(sent('/pagerduty', 'WorkersBehind')).toEqual([]);
    expect(sent('/pagerduty', 'ProcessDown')).toEqual([]);
  });

  test('several of one kind are one message, which counts them', async () => {
    const of = (upstream: string) => ({ alert: 'UpstreamAccountRefused', labels: { upstream } });
    await tell([of('one'), of('two')]);
    await until(() => sent('/pagerduty', 'UpstreamAccountRefused').length > 0);
    const [{ body }] = sent('/pagerduty', 'UpstreamAccountRefused') as [Message];
    expect((body.payload as { summary: string }).summary).toMatch(/^\[2 x page\] UpstreamAccountRefused: /);
  });

  test('a ticket reaches Slack and a mailbox, and nobody is woken', async () => {
    await tell([{ alert: 'BackupOld' }]);
    await until(() => sent('/slack', 'BackupOld').length > 0 && mailed('BackupOld').length > 0);
    expect(sent('/slack', 'BackupOld')[0]!.body).toMatchObject({
      channel: '#ledgerline-tickets',
      attachments: [{ color: 'warning' }],
    });
    expect(sent('/pagerduty', 'BackupOld')).toEqual([]);
  });

  test('the end of a fault is told to the same places', async () => {
    await tell([{ alert: 'WorkersGone', isOver: true }]);
    const isOver = ({ body }: Message) => JSON.stringify(body).includes('[over] WorkersGone');
    await until(() => sent('/slack', 'WorkersGone').some(isOver));
    await until(() => sent('/pagerduty', 'WorkersGone').some(({ body }) => body.event_action === 'resolve'));
    await until(() => mails.received.some((mail) => mail.includes('Subject: [over] WorkersGone')));
  });
});
