import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogOutput } from '../../log/logOutput.ts';
import { type TestFolder, makeFolder } from '../support/folder.ts';
import { ask, setGuardStage, type GuardStage } from '../support/guardStage.ts';
import { addressIn, apiCommand } from '../support/startApi.ts';
import { until } from '../support/until.ts';

const endWithinMs = 10_000;

let stage: GuardStage;
let folder: TestFolder;

beforeAll(async () => {
  [stage, folder] = await Promise.all([setGuardStage(), makeFolder()]);
});
afterAll(async () => {
  await stage?.close();
  await folder?.remove();
});

/** The API with this standard output, and how it ends. */
async function startWritingTo(stdout: 'pipe' | number) {
  const { command, args, remove, ...options } = await apiCommand(stage.addresses);
  const child = spawn(command, args, { ...options, stdio: ['ignore', stdout, 'ignore'] });
  let ending: string | undefined;
  child.once('exit', (code, signal) => void remove().then(() => (ending = `${code ?? signal}`)));
  return { child, ending: () => ending };
}

/** A pipe that nobody reads but us: what we do with it is seen by its writer. */
async function makePipe() {
  const path = join(folder.path, 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  // Opened twice, since what is said of blocking counts for all who share an open file.
  const [ours, theirs] = [await open(path, constants.O_RDWR | constants.O_NONBLOCK), await open(path, 'r+')];
  return { ours, theirs };
}

async function readFirstLine(pipe: FileHandle): Promise<string> {
  const bytes = Buffer.alloc(4096);
  let text = '';
  await until(async () => {
    text += bytes.toString('utf8', 0, await orWouldWait(pipe.read(bytes).then(({ bytesRead }) => bytesRead)));
    return text.endsWith('\n');
  });
  return text;
}

async function fill(pipe: FileHandle): Promise<void> {
  const write = (bytes: number) =>
    orWouldWait(pipe.write(Buffer.alloc(bytes, 'x')).then(({ bytesWritten }) => bytesWritten));
  for (const bytes of [4096, 1]) await until(async () => (await write(bytes)) === 0, { pollMs: 0 });
}

/** How many bytes were moved: none, when that would have had to wait. */
async function orWouldWait(moved: Promise<number>): Promise<number> {
  return moved.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EAGAIN') return 0;
    throw error;
  });
}

describe('the log of a process', () => {
  test('does not keep it from draining when its reader is gone', async () => {
    const { child, ending } = await startWritingTo('pipe');
    const [head] = (await child.stdout!.take(1).toArray()) as Buffer[];
    const url = addressIn(head!.toString().split('\n'))!;
    child.stdout!.destroy();
    for (let asked = 0; asked < 100; asked += 1) expect((await ask(url, '/v1/models')).status).toBe(401);
    child.kill('SIGTERM');
    await until(() => ending() !== undefined, { patienceMs: endWithinMs });
    expect(ending()).toBe('0');
  });

  test('holds up neither its answers nor its end when its reader stays and stops reading', async () => {
    const { ours, theirs } = await makePipe();
    const { child, ending } = await startWritingTo(theirs.fd);
    const url = addressIn((await readFirstLine(ours)).split('\n'))!;
    await fill(ours);
    for (let asked = 0; asked < 200; asked += 1) expect((await ask(url, '/v1/models')).status).toBe(401);
    child.kill('SIGTERM');
    await until(() => ending() !== undefined, { patienceMs: endWithinMs });
    expect(ending()).toBe('0');
    await Promise.all([ours.close(), theirs.close()]);
  });

  test('ends with the line that says so', async () => {
    const api = await stage.startAnother();
    await ask(api.url, '/v1/models');
    process.kill(api.pid, 'SIGTERM');
    await api.exited;
    await until(() => api.lines.length === 4);
    expect(api.lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'listening',
      'request',
      'draining',
      'drained',
    ]);
  });

  test('says why it crashed, after all that came before', async () => {
    const planted = `process.on('SIGUSR2', () => { throw new Error('planted') })`;
    const api = await stage.startAnother({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(planted)}`,
    });
    await ask(api.url, '/v1/models');
    process.kill(api.pid, 'SIGUSR2');
    expect(await api.exited).toBe('exited with code 1');
    const logged = () => api.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object);
    await until(() => logged().length === 3);
    expect(logged().slice(1)).toMatchObject([
      { msg: 'request' },
      { level: 60, err: { message: 'planted' }, msg: 'crashed' },
    ]);
  });
});

describe('lines that nobody takes', () => {
  test('are kept up to a bound; the rest is dropped, and counted where it is missing', async () => {
    const taken: string[] = [];
    let takeNext = (): void => {};
    const stream = new Writable({
      decodeStrings: false,
      write(text: string, _, done) {
        taken.push(text);
        takeNext = done;
      },
    });
    const output = createLogOutput(stream);
    const line = (at: number) => `${String(at).padEnd(99_999, '.')}\n`;
    for (let at = 0; at < 30; at += 1) output.write(line(at));
    expect(taken).toEqual([line(0)]);

    takeNext();
    await until(() => taken.length === 2);
    const lines = taken[1]!.trimEnd().split('\n');
    expect(lines.slice(0, -1).map((text) => parseInt(text))).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ level: 40, droppedLines: 9 });

    takeNext();
    output.write(line(30));
    await until(() => taken.length === 3);
    expect(taken[2]).toBe(line(30));
  });
});
