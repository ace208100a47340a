import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { readApiConfig } from '../../api/config.ts';
import { findLimitsProgram, startLimitsServer } from '../../ops/stack/limitsServer.ts';
import type { Child } from '../../ops/stack/process/child.ts';
import { commandOf } from '../../ops/stack/preflight.ts';
import { freePort } from '../../ops/stack/process/port.ts';
import { worstCaseNanos } from '../flow/stages/moneyStage.ts';
import { makeFolder, type TestFolder } from '../support/folder.ts';
import { ask, chatBody, chatPath, setGuardStage, told, type GuardStage } from '../support/guardStage.ts';
import { balanceOf } from '../support/account.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { describeWhen } from '../support/needs.ts';
import { startApiProcess, type ApiProcess } from '../support/startApi.ts';
import { until } from '../support/until.ts';

const searchPath = process.env.PATH ?? '';
const describeWithServer = describeWhen(findLimitsProgram(searchPath), 'Valkey or Redis');

test('several processes need a server for their limits, which is named', () => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1/x', API_PROCESSES: '2' };
  expect(() => readApiConfig(env)).toThrow(/^LIMITS_REDIS_URL: is not set/);
  expect(readApiConfig({ ...env, LIMITS_REDIS_URL: 'redis://127.0.0.1:1' }).processes).toBe(2);
});

test('a process that is frozen in a loop ends with the one that supervises it', async () => {
  const folder = await makeFolder();
  const script = join(folder.path, 'frozen.mjs');
  const processes = new URL('../../api/processes.ts', import.meta.url).href;
  await writeFile(
    script,
    `import cluster from 'node:cluster';
    if (cluster.isWorker) {
      process.stdout.write(process.pid + '\\n');
      for (;;);
    }
    const { keepProcesses } = await import(${JSON.stringify(processes)});
    keepProcesses(1, { log: { info() {}, error() {} }, onListening() {}, onUseless() {} });
    process.stdin.once('data', () => process.exit(0));`,
  );
  const supervisor = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(supervisor.stdout, 'data')) as [Buffer];
  const pid = Number(String(line));
  expect(await commandOf(pid)).toContain('frozen.mjs');
  supervisor.stdin.write('end');
  await until(async () => (await commandOf(pid)) === '');
  await folder.remove();
});

describeWithServer('with API_PROCESSES=2', () => {
  let folder: TestFolder;
  let server: Child;
  let stage: GuardStage<ApiProcess>;

  beforeAll(async () => {
    folder = await makeFolder();
    const port = await freePort();
    server = await startLimitsServer({ dataDir: folder.path, searchPath, port, log: () => {} });
    const env = {
      API_PROCESSES: '2',
      METRICS_PORT: '0',
      LIMITS_REDIS_URL: `redis://127.0.0.1:${port}`,
      SHUTDOWN_GRACE_MS: '600000',
    };
    stage = await setGuardStage({ env, start: startApiProcess });
  });
  afterAll(async () => {
    await stage?.close();
    await server?.stop(5_000);
    await folder?.remove();
  });

  const listening = () => stage.api.lines.filter((line) => line.includes('"event":"listening"')).length;
  const startedPids = () =>
    stage.api.lines
      .filter((line) => line.includes('"event":"process_started"'))
      .map((line) => (JSON.parse(line) as { pid: number }).pid);

  test('both serve one port, and count a key’s limits and money together', async () => {
    await until(() => listening() === 2);
    const { secret } = await stage.account({ concurrencyLimit: 3 });
    const headers = { 'x-api-key': secret, connection: 'close' };
    const body = chatBody({ stream: true, messages: told({ fault: 'endless', delayMs: 20 }) });
    const open = new AbortController();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(stage.url, chatPath, { headers, body, signal: open.signal })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    open.abort();
  });

  test('128 connections are refused nothing that the limits and the balance of one key cover', async () => {
    const [connections, calls, outputTokens] = [128, 1_024, 20];
    const body = chatBody({ max_tokens: outputTokens });
    const limits = { rpmLimit: calls, concurrencyLimit: connections };
    const balanceNanos = BigInt(calls) * worstCaseNanos(body, outputTokens);
    const { secret, workspaceId } = await stage.account({ balanceNanos, ...limits });
    const statuses: number[] = [];
    let left = calls;
    const callAgain = async (): Promise<void> => {
      const connection = new Agent({ keepAlive: true, maxSockets: 1 });
      while (left-- > 0) statuses.push(await postOver(connection, stage.url + chatPath, secret, body));
      connection.destroy();
    };
    await Promise.all(Array.from({ length: connections }, callAgain));
    expect(statuses).toEqual(Array.from({ length: calls }, () => 200));
    await expectSoundLedger(stage.db);
    expect(await balanceOf(stage.db, workspaceId)).toBeGreaterThanOrEqual(0n);
  });

  async function operators(path: string): Promise<string> {
    const line = stage.api.lines.find((text) => text.includes('"event":"metrics"'))!;
    return (await fetch(`http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}${path}`)).text();
  }

  test('one scrape has the series of both, each under its number', async () => {
    const { secret } = await stage.account();
    const headers = { 'x-api-key': secret, connection: 'close' };
    let sent = 0;
    let text = '';
    const counted = () => [
      ...text.matchAll(/^ledgerline_http_requests_total\{(.*)route="\/v1\/models",status="200"\} (\d+)$/gm),
    ];
    await until(async () => {
      await (await ask(stage.url, '/v1/models', { headers })).text();
      sent += 1;
      text = await operators('/metrics');
      return counted().length === 2;
    });
    expect(counted().map(([, labels]) => labels)).toEqual(['process="1",method="GET",', 'process="2",method="GET",']);
    expect(counted().reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(sent);
    expect(text.match(/^# TYPE ledgerline_http_requests_total counter$/gm)).toHaveLength(1);
    for (const number of [1, 2]) {
      expect(text).toContain(`ledgerline_ledger_healthy{process="${number}"} 1`);
      expect(text).toContain(`ledgerline_process_up{process="${number}"} 1`);
      expect(text).toMatch(new RegExp(`^process_start_time_seconds\\{process="${number}"\\} \\d+$`, 'm'));
    }
    await until(async () => (await operators('/readyz')) === '{"status":"ready"}');
  });

  test('one that is killed is replaced, and the other serves meanwhile', async () => {
    const { secret } = await stage.account();
    const headers = { 'x-api-key': secret, connection: 'close' };
    process.kill(startedPids()[0]!, 'SIGKILL');
    await until(() => stage.api.lines.some((line) => line.includes('"event":"process_ended"')));
    expect(await operators('/readyz')).toContain('process 1: no answer');
    expect(await operators('/metrics')).toContain('ledgerline_process_up{process="1"} 0');
    for (let at = 0; at < 4; at += 1)
      expect((await ask(stage.url, chatPath, { headers, body: chatBody() })).status).toBe(200);
    await until(() => listening() === 3, { timeoutMs: 60_000 });
    expect(new Set(startedPids()).size).toBe(3);
    expect(await operators('/metrics')).toContain('ledgerline_process_up{process="1"} 1');
    expect((await ask(stage.url, '/readyz')).status).toBe(200);
  });

  test('on SIGTERM to the whole group, as systemd sends it, all finish what they do, and the ledger is sound', async () => {
    const { secret } = await stage.account();
    const headers = { 'x-api-key': secret, connection: 'close' };
    const calls = stage.upstream.calls().length;
    const body = chatBody({ stream: true, messages: told({ text: 'word '.repeat(40), delayMs: 25 }) });
    const streams = await Promise.all(Array.from({ length: 4 }, () => ask(stage.url, chatPath, { headers, body })));
    await until(() => stage.upstream.calls().length === calls + 4);
    // Each process gets the signal of the group, and then that of the process which supervises it.
    process.kill(-stage.api.pid, 'SIGTERM');
    for (const stream of streams) expect((await stream.text()).match(/word/g)).toHaveLength(40);
    expect(await stage.api.exited).toBe('exited with code 0');
    await expectSoundLedger(stage.db);
  });

  test('settings with which no process can serve end the whole with an exit code', async () => {
    const port = new URL(stage.addresses.upstreamUrl).port;
    const env = { API_PROCESSES: '2', LIMITS_REDIS_URL: 'redis://127.0.0.1:1', PORT: port };
    await expect(startApiProcess({ ...stage.addresses, env })).rejects.toThrow(/exited with code 1/);
  });
});

/** The status of a call over an agent. */
async function postOver(agent: Agent, url: string, secret: string, body: string): Promise<number> {
  const headers = { 'x-api-key': secret, 'content-type': 'application/json' };
  const asked = request(url, { agent, method: 'POST', headers }).end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode!;
}
