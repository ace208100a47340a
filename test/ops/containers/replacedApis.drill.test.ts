import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../ops/stack/process/port.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { ask, chatBody, chatPath, told } from '../../support/guardStage.ts';
import { describeWhen } from '../../support/needs.ts';
import { setRunRouteStage, type RunRouteStage } from '../../support/runRouteStage.ts';
import type { ApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { findCaddy, hasProgram } from './podman.ts';

// The Caddyfile of compose, which finds containers by their name, with two ports of this machine in the place of that name.
const caddyProgram = hasProgram('go') && (await findCaddy('2.11.2'));
const CALLERS = 12;
const REPLACEMENTS = 10;
const root = join(import.meta.dirname, '..', '..', '..');
const BY_NAME = /dynamic a \{[^}]*\}/;

let stage: RunRouteStage;
let folder: TestFolder;
let caddy: ChildProcess;
let url: string;
let ports: [number, number];
let apis: NamedApi[] = [];

interface NamedApi extends ApiProcess {
  /** Under which it holds money and claims calls. */
  processId: string;
}

async function startApi(port: number): Promise<NamedApi> {
  const before = await processIds();
  const started = await stage.startAnother({
    PORT: String(port),
    SHUTDOWN_NOTICE_MS: '500',
    DEFAULT_RPM_LIMIT: '1000000',
    DEFAULT_CONCURRENCY_LIMIT: '1000',
  });
  const processId = (await processIds()).find((id) => !before.includes(id))!;
  const api = { ...started, processId };
  apis.push(api);
  return api;
}

async function endApi(api: NamedApi, signal: 'SIGTERM' | 'SIGKILL'): Promise<string> {
  apis = apis.filter((other) => other !== api);
  process.kill(api.pid, signal);
  return api.exited;
}

async function processIds(): Promise<string[]> {
  const { rows } = await stage.db.pool.query<{ id: string }>('select id from processes');
  return rows.map(({ id }) => id);
}

const untilServed = () =>
  until(async () => (await ask(url, '/healthz').catch(() => null))?.ok === true, { pollMs: 100 });

/** The status of an answer that came whole, and the id of its request; 0 and none: nothing came. */
async function send(path: string, body: string, headers: Record<string, string>) {
  try {
    const response = await ask(url, path, { headers, body });
    await response.text();
    return { status: response.status, requestId: response.headers.get('x-request-id')! };
  } catch {
    return { status: 0, requestId: 'none' };
  }
}

const headersOf = (secret: string, key: string) => ({ authorization: `Bearer ${secret}`, 'idempotency-key': key });

/** The ids of the calls that a key has paid for. */
async function paidWith(keyId: string): Promise<string[]> {
  await stage.db.ledger.posted();
  const sql = 'select id from requests where key_id = $1 and cost_nanos > 0 order by id collate "C"';
  const { rows } = await stage.db.pool.query<{ id: string }>(sql, [keyId]);
  return rows.map(({ id }) => id);
}

describeWhen(caddyProgram, 'Go')('behind the Caddy of compose', () => {
  beforeAll(async () => {
    [stage, folder] = await Promise.all([setRunRouteStage(), makeFolder()]);
    ports = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${await freePort()}`;
    const given = await readFile(join(root, 'ops/deploy/compose/Caddyfile'), 'utf8');
    expect(given).toMatch(BY_NAME);
    const own = given
      .replace(BY_NAME, `to ${ports.map((port) => `127.0.0.1:${port}`).join(' ')}`)
      .replace('127.0.0.1:2020', `127.0.0.1:${await freePort()}`);
    const config = join(folder.path, 'Caddyfile');
    await writeFile(config, own);
    caddy = spawn(caddyProgram as string, ['run', '--config', config, '--adapter', 'caddyfile'], {
      env: { ...process.env, SITE_ADDRESS: url, HOME: folder.path, CADDY_ADMIN: `127.0.0.1:${await freePort()}` },
      stdio: 'ignore',
    });
  });

  afterEach(async () => {
    for (const api of apis) await endApi(api, 'SIGTERM');
  });

  afterAll(async () => {
    caddy?.kill();
    if (caddy?.exitCode === null) await once(caddy, 'exit');
    await stage?.close();
    await folder?.remove();
  });

  test('each keyed call is answered and billed once while one API after the other is replaced', async () => {
    const { secret, keyId } = await stage.account();
    const statuses = new Map<number, number>();
    const requestIds: string[] = [];
    const body = chatBody({ messages: told({ headDelayMs: 20 }) });
    let nth = 0;
    const call = async () => {
      const { status, requestId } = await send(chatPath, body, headersOf(secret, `call-of-one-caller-${(nth += 1)}`));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      requestIds.push(requestId);
    };
    let running = await startApi(ports[0]);
    await untilServed();
    const over = new AbortController();
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!over.signal.aborted) await call();
    });
    for (let at = 1; at <= REPLACEMENTS; at += 1) {
      const next = await startApi(ports[at % 2]!);
      const before = nth;
      await until(() => nth > before + 10 * CALLERS);
      expect(await endApi(running, 'SIGTERM')).toBe('exited with code 0');
      running = next;
    }
    over.abort();
    await Promise.all(callers);
    console.info(JSON.stringify({ replacements: REPLACEMENTS, calls: nth }));
    expect([...statuses]).toEqual([[200, nth]]);
    expect(await paidWith(keyId)).toEqual(requestIds.toSorted());
  }, 600_000);

  test.each([
    [
      'call of a model',
      { path: chatPath, body: () => chatBody(), headers: {}, status: 200 },
      'select process_id from call_claims where workspace_id = $1',
    ],
    [
      'run',
      { path: '/v1/runs', body: () => JSON.stringify(stage.order()), headers: { prefer: 'wait=5' }, status: 202 },
      `select process_id from idempotency_keys
        where workspace_id = $1 and exists (select from runs where workspace_id = $1)`,
    ],
  ])('a keyed %s whose API is killed is carried out once, by the other', async (_what, asked, claimed) => {
    const { secret, keyId, workspaceId } = await stage.account();
    for (const port of ports) await startApi(port);
    await untilServed();
    stage.upstream.reset();
    stage.upstream.script(() => (stage.upstream.calls().length > 1 ? {} : { fault: 'stall', faultAfterChunks: 0 }));
    const answer = send(asked.path, asked.body(), { ...headersOf(secret, 'killed-mid-way'), ...asked.headers });
    let victim: NamedApi | undefined;
    await until(async () => {
      const { rows } = await stage.db.pool.query<{ process_id: string }>(claimed, [workspaceId]);
      victim = apis.find(({ processId }) => processId === rows[0]?.process_id);
      return victim !== undefined && (asked.path !== chatPath || stage.upstream.calls().length === 1);
    });
    await endApi(victim!, 'SIGKILL');
    const { status, requestId } = await answer;
    expect(status).toBe(asked.status);
    if (asked.path === chatPath) return expect(await paidWith(keyId)).toEqual([requestId]);
    expect((await stage.db.pool.query('select from runs where workspace_id = $1', [workspaceId])).rowCount).toBe(1);
  });
});
