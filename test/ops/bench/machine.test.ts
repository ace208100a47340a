import { afterEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { areasOf } from '../../../ops/bench/areas.ts';
import { BusyError, disturbanceBetween, isDisturbed, machineTimesIn } from '../../../ops/bench/machine/busy.ts';
import { cpuMicrosOf, timesIn, treeMicrosOf } from '../../../ops/bench/machine/processor.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

test('the times of a process are read behind its name, whatever the name is', () => {
  const line = '42 (a) name) 7) S 1 42 42 0 -1 4194560 100 200 0 0 11 22 33 44 20 0 5 0 900 1000 50 1844 1 1 0';
  expect(timesIn(line)).toEqual({ ownMicros: 330_000, endedMicros: 770_000, threads: 5 });
});

describe('the time of a tree', () => {
  const BURN = 'let n = 0; while (process.cpuUsage().user < 200_000) n += 1;';

  /** Node, which starts a child of its own that works for 0.2 s. */
  async function parentOf(child: string): Promise<number> {
    const script = `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: ['pipe', 'inherit', 'inherit'] });
      child.on('exit', () => console.log('done'));
      setInterval(() => {}, 1_000);`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    started.push(parent);
    await once(parent.stdout, 'data');
    return parent.pid!;
  }

  test('has that of a child that works', async () => {
    const pid = await parentOf(`${BURN} console.log('worked'); process.stdin.resume();`);
    expect(treeMicrosOf(pid) - cpuMicrosOf(pid)).toBeGreaterThanOrEqual(190_000);
  });

  test('has that of a child that has ended', async () => {
    const pid = await parentOf(BURN);
    expect(treeMicrosOf(pid) - cpuMicrosOf(pid)).toBeGreaterThanOrEqual(190_000);
  });

  test('is nothing without a process', () => {
    expect(treeMicrosOf(2 ** 22 + 1)).toBe(0);
  });
});

describe('the machine', () => {
  const times = (programs: number, { own = 0, steal = 0, idle = 0, softIrq = 0 }) =>
    machineTimesIn(`cpu  ${programs} 0 0 ${idle} 0 0 ${softIrq} ${steal} 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n`, own);

  test('is not busy with our own programs and with packets', () => {
    const seen = disturbanceBetween(
      times(100, { own: 50, idle: 100 }),
      times(1_100, { own: 1_049, idle: 200, softIrq: 300 }),
    );
    expect(seen.others).toBeCloseTo(1 / 1_400);
    expect(isDisturbed(seen)).toBe(false);
  });

  test('is busy with other programs', () => {
    const seen = disturbanceBetween(times(0, { own: 0 }), times(400, { own: 300, idle: 600 }));
    expect(seen).toEqual({ others: 0.1, steal: 0 });
    expect(isDisturbed(seen)).toBe(true);
  });

  test('is busy when other machines take its processors', () => {
    const seen = disturbanceBetween(times(0, {}), times(0, { idle: 900, steal: 100 }));
    expect(seen).toEqual({ others: 0, steal: 0.1 });
    expect(isDisturbed(seen)).toBe(true);
  });

  test('never had less than nothing from others: counters are read one after the other', () => {
    expect(disturbanceBetween(times(0, { own: 0 }), times(100, { own: 105, idle: 100 })).others).toBe(0);
  });

  test('is named in the refusal, with the way around it', () => {
    const { message } = new BusyError('while chat was measured', { others: 0.21, steal: 0.03 });
    expect(message).toBe(
      'The machine is busy: while chat was measured, other programs used 21 % of the processors, other machines 3 % (together at most 5 %). Repeat it on a quiet machine, or add --busy-anyway.',
    );
  });
});

test('a run on a busy machine prints no figures and ends with status 3', async () => {
  for (let busy = 0; busy < availableParallelism() / 4; busy += 1)
    started.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  const main = fileURLToPath(new URL('../../../ops/bench/main.ts', import.meta.url));
  const bench = spawn(process.execPath, [main, '--quick', '--only', 'speech'], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(bench);
  const [status, output, errors] = await Promise.all([once(bench, 'close'), text(bench.stdout), text(bench.stderr)]);
  expect([status[0], output]).toEqual([3, '']);
  expect(errors).toMatch(/^The machine is busy: before the first measurement, other programs used \d+ %/);
});

describe('--only', () => {
  const names = (only?: string) => areasOf(only).map(({ name }) => name);

  test('names areas, which keep their order: those with all cores come before pinning', () => {
    expect(names('streams, chat')).toEqual(['chat', 'streams']);
    expect(names('chat,batches')).toEqual(['batches', 'chat']);
    const pins = areasOf(undefined).map(({ isPinned }) => isPinned);
    expect(pins).toEqual(pins.toSorted((one, other) => Number(one) - Number(other)));
  });

  test('refuses an unknown area by name, with those that exist', () => {
    expect(() => names('chat,speed')).toThrow(/^--only speed: no such area\. There are ledger, .*chat/);
  });
});
