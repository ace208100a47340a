import { spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createLogOutput } from '../../base/logOutput.ts';
import { ask, setGuardStage } from '../support/guardStage.ts';
import { addressIn, apiCommand } from '../support/startApi.ts';
import { makeUnreadPipe } from '../support/unreadPipe.ts';
import { until } from '../support/until.ts';

const stage = await setGuardStage();
afterAll(() => stage.close());

/** The API with this standard output, and its exit. */
async function startWritingTo(stdout: 'pipe' | number) {
  const { command, args, remove, ...options } = await apiCommand(stage.addresses);
  const child = spawn(command, args, { ...options, stdio: ['ignore', stdout, 'ignore'] });
  let ending: string | undefined;
  child.once('exit', (code, signal) => void remove().then(() => (ending = `${code ?? signal}`)));
  return { child, ending: () => ending };
}

describe('the log of a process', () => {
  test('does not delay the shutdown when its reader has closed the pipe', async () => {
    const { child, ending } = await startWritingTo('pipe');
    let head = '';
    let url: string | undefined;
    // Ends with the closed pipe.
    for await (const chunk of child.stdout!) {
      head += String(chunk);
      url = addressIn(head.split('\n').slice(0, -1));
      if (url !== undefined) break;
    }
    for (let asked = 0; asked < 100; asked += 1) expect((await ask(url!, '/v1/models')).status).toBe(401);
    child.kill('SIGTERM');
    await until(() => ending() !== undefined);
    expect(ending()).toBe('0');
  });

  test('delays neither answers nor the exit when its reader stops reading', async () => {
    const pipe = await makeUnreadPipe();
    const { child, ending } = await startWritingTo(pipe.fd);
    const url = addressIn([await pipe.readLine('listening')])!;
    await pipe.fill();
    for (let asked = 0; asked < 200; asked += 1) expect((await ask(url, '/v1/models')).status).toBe(401);
    child.kill('SIGTERM');
    await until(() => ending() !== undefined);
    expect(ending()).toBe('0');
    await pipe.close();
  });

  test('ends with the line of the shutdown', async () => {
    const api = await stage.startAnother();
    await ask(api.url, '/v1/models');
    process.kill(api.pid, 'SIGTERM');
    await api.exited;
    await until(() => api.lines.length === 5);
    expect(api.lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      expect.stringContaining('this process may open 18 connections'),
      'listening',
      'request',
      'draining',
      'drained',
    ]);
  });

  test('ends with the reason of a crash, after all earlier lines', async () => {
    const planted = `process.on('SIGUSR2', () => { throw new Error('planted') })`;
    const api = await stage.startAnother({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(planted)}`,
    });
    await ask(api.url, '/v1/models');
    process.kill(api.pid, 'SIGUSR2');
    expect(await api.exited).toBe('exited with code 1');
    const logged = () => api.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object);
    await until(() => logged().length === 4);
    expect(logged().slice(2)).toMatchObject([
      { msg: 'request' },
      { level: 60, err: { message: 'planted' }, msg: 'crashed' },
    ]);
  });
});

describe('lines that are not read', () => {
  test('are kept up to a limit; further lines are dropped, and their number is logged', async () => {
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
