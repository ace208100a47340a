import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../../ops/stack/process/port.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { describeWhen } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { findCaddy, hasProgram } from './podman.ts';

// The oldest version that the documentation allows, with Caddyfile.hosts, in front of two servers that say how they are.
const caddyProgram = hasProgram('go') && (await findCaddy('2.11.2'));
const root = join(import.meta.dirname, '..', '..', '..');

/** A server in the place of an API: it counts calls, and answers /readyz with `status`; 0: it does not answer at all. */
class Api {
  readonly server: Server;
  status = 200;
  calls = 0;
  /** Whether it closes the connections of its calls without an answer. */
  breaks = false;

  constructor() {
    this.server = createServer((request, response) => {
      const isQuestion = request.url === '/readyz';
      if (this.status === 0) return;
      if (!isQuestion) this.calls += 1;
      if (!isQuestion && this.breaks) {
        request.resume().once('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(isQuestion ? this.status : 200).end();
    }).listen(0, '127.0.0.1');
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}

let folder: TestFolder;
let caddy: ChildProcess;
let url: string;
const [one, two] = [new Api(), new Api()];

describeWhen(caddyProgram, 'Go')('Caddyfile.hosts', () => {
  beforeAll(async () => {
    folder = await makeFolder();
    for (const { server } of [one, two]) if (!server.listening) await once(server, 'listening');
    url = `http://127.0.0.1:${await freePort()}`;
    caddy = spawn(
      caddyProgram as string,
      ['run', '--config', 'ops/deploy/compose/Caddyfile.hosts', '--adapter', 'caddyfile'],
      {
        cwd: root,
        env: {
          ...process.env,
          SITE_ADDRESS: url,
          API_HOSTS: `${one.address} ${two.address}`,
          HOME: folder.path,
          CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
        },
        stdio: 'ignore',
      },
    );
    await until(
      () =>
        call().then(
          (status) => status === 200,
          () => false,
        ),
      { timeoutMs: 60_000, pollMs: 100 },
    );
  });

  afterAll(async () => {
    caddy.kill();
    if (caddy.exitCode === null) await once(caddy, 'exit');
    for (const { server } of [one, two]) {
      server.closeAllConnections();
      server.close();
    }
    await folder.remove();
  });

  test('gives calls to both while both are ready', async () => {
    await until(async () => (await call()) === 200 && one.calls > 0 && two.calls > 0, { pollMs: 20 });
  });

  test.each([
    ['says that it ends', 503],
    ['is frozen', 0],
  ])('gives none to an API that %s, and again when it is ready', async (_what, status) => {
    one.status = status;
    await until(async () => isAlone(two, one), { pollMs: 50 });
    for (let index = 0; index < 30; index++) expect(await call()).toBe(200);
    one.status = 200;
    const before = one.calls;
    await until(async () => (await call()) === 200 && one.calls > before, { pollMs: 20 });
  });

  test.each([
    ['a key goes to the other API', { 'idempotency-key': 'order-1' }, 200],
    ['no key is not repeated', {}, 502],
  ])('a write whose connection breaks and that has %s', async (_what, headers, status) => {
    one.breaks = true;
    try {
      await until(
        async () => {
          const before = one.calls;
          const response = await fetch(`${url}/v1/runs`, { method: 'POST', headers, body: '{"input":"Hello."}' });
          const isBroken = one.calls > before;
          expect(response.status).toBe(isBroken ? status : 200);
          return isBroken;
        },
        { pollMs: 20 },
      );
    } finally {
      one.breaks = false;
    }
  });
});

const call = (): Promise<number> =>
  fetch(`${url}/v1/models`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status,
    () => 0,
  );

/** Whether ten calls one after the other all come to this one. */
async function isAlone(own: Api, other: Api): Promise<boolean> {
  const [before, beforeOther] = [own.calls, other.calls];
  for (let index = 0; index < 10; index++) if ((await call()) !== 200) return false;
  return own.calls === before + 10 && other.calls === beforeOther;
}
