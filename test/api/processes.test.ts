import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

// Of two processes one has stopped, so that it takes no connection that it is given, and then it dies. The other one serves the others.
test('no connection stays open that a process was given and died before it took it', async () => {
  const folder = await makeFolder();
  const script = join(folder.path, 'serving.mjs');
  const processes = new URL('../../api/processes.ts', import.meta.url).href;
  await writeFile(
    script,
    `import cluster from 'node:cluster';
    import { createServer } from 'node:net';
    if (cluster.isWorker) {
      const server = createServer((socket) => socket.end('served'));
      server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ pid: process.pid, port: server.address().port })));
    } else {
      const { keepProcesses } = await import(${JSON.stringify(processes)});
      keepProcesses(2, { log: { info() {}, error() {} }, onListening() {}, onUseless() {} });
    }`,
  );
  const supervisor = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const started: { pid: number; port: number }[] = [];
  createInterface(supervisor.stdout).on('line', (line) =>
    started.push(JSON.parse(line) as { pid: number; port: number }),
  );
  await until(() => started.length === 2);
  const { pid, port } = started[0]!;
  process.kill(pid, 'SIGSTOP');
  const sockets = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'));
  const ended = sockets.map(async (socket) => once(socket.on('error', () => {}).resume(), 'close'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  process.kill(pid, 'SIGKILL');
  expect(await Promise.all(ended)).toHaveLength(4);
  supervisor.kill('SIGTERM');
  await once(supervisor, 'exit');
  await folder.remove();
});
