import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readApiConfig } from '../../api/config.ts';
import { findLimitsProgram, startLimitsServer } from '../../stack/limitsServer.ts';
import type { Child } from '../../stack/process/child.ts';
import { freePort } from '../../stack/process/port.ts';
import { makeFolder, type TestFolder } from '../support/folder.ts';
import { ask, chatBody, chatPath, setGuardStage, told, type GuardStage } from '../support/guardStage.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { startApiProcess, type ApiProcess } from '../support/startApi.ts';
import { until } from '../support/until.ts';

const searchPath = process.env.PATH ?? '';
const describeWithServer = findLimitsProgram(searchPath) ? describe : describe.skip;

test('several processes need a server for their limits, which is named', () => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1/x', API_PROCESSES: '2' };
  expect(() => readApiConfig(env)).toThrow(/^LIMITS_REDIS_URL: is not set/);
  expect(readApiConfig({ ...env, LIMITS_REDIS_URL: 'redis://127.0.0.1:1' }).processes).toBe(2);
});

describeWithServer('with API_PROCESSES=2', () => {
  let folder: TestFolder;
  let server: Child;
  let stage: GuardStage<ApiProcess>;

  beforeAll(async () => {
    folder = await makeFolder();
    const port = await freePort();
    server = await startLimitsServer({ dataDir: folder.path, searchPath, port, log: () => {} });
    const env = { API_PROCESSES: '2', LIMITS_REDIS_URL: `redis://127.0.0.1:${port}`, SHUTDOWN_GRACE_MS: '600000' };
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

  test('one that is killed is replaced, and the other serves meanwhile', async () => {
    const { secret } = await stage.account();
    const headers = { 'x-api-key': secret, connection: 'close' };
    process.kill(startedPids()[0]!, 'SIGKILL');
    await until(() => stage.api.lines.some((line) => line.includes('"event":"process_ended"')));
    for (let at = 0; at < 4; at += 1)
      expect((await ask(stage.url, chatPath, { headers, body: chatBody() })).status).toBe(200);
    await until(() => listening() === 3, { timeoutMs: 60_000 });
    expect(new Set(startedPids()).size).toBe(3);
    expect((await ask(stage.url, '/readyz')).status).toBe(200);
  });

  test('on SIGTERM all finish what they do, and the ledger is sound', async () => {
    const { secret } = await stage.account();
    const headers = { 'x-api-key': secret, connection: 'close' };
    const calls = stage.upstream.calls().length;
    const body = chatBody({ stream: true, messages: told({ text: 'word '.repeat(40), delayMs: 25 }) });
    const streams = await Promise.all(Array.from({ length: 4 }, () => ask(stage.url, chatPath, { headers, body })));
    await until(() => stage.upstream.calls().length === calls + 4);
    process.kill(stage.api.pid, 'SIGTERM');
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
