import { expect, test } from '@jest/globals';
import { openSandbox, type Outcome } from '../../../tools/sandbox/sandbox.ts';
import { processesOf } from '../../support/sandbox.ts';

const WALL_MS = 119_987;
const CALLS = 100;
const AT_ONCE = 4;

const codes = [
  'for (;;) console.log("x".repeat(60_000))',
  'JSON.parse("[".repeat(4e5))',
  'const again = () => again() + 1; again()',
  'const held = []; for (;;) held.push(new Uint8Array(1e7).fill(1))',
  'for (let i = 0; ; i++) writeFile("f" + i, "x".repeat(4e6))',
  'for (;;);',
  `'a'.repeat(2 ** 24).indexOf('a'.repeat(2 ** 23) + 'b'); for (;;);`,
  '(function* () {})().constructor.constructor("return process")().exit()',
  'Object.prototype.toString = Array.prototype.map = null; throw new Proxy({}, { get() { throw 1 } })',
  'for (const name of Object.getOwnPropertyNames(globalThis)) try { globalThis[name] = 0 } catch {} ; 1',
];

test('100 hostile programs, four at a time, leave the worker and the machine unchanged', async () => {
  const sandbox = await openSandbox({ tier: 'quickjs', limits: { wallMs: WALL_MS, cpuMs: WALL_MS } });
  const memoryBefore = process.memoryUsage().rss;
  const outcomes: Outcome[] = [];
  let next = 0;
  const runAll = async (): Promise<void> => {
    while (next < CALLS) {
      const code = codes[next++ % codes.length]!;
      outcomes.push(
        await sandbox.run(
          { language: 'javascript', code, files: [] },
          AbortSignal.timeout(code.includes('for (;;);') ? 800 : WALL_MS),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runAll));

  expect(outcomes).toHaveLength(CALLS);
  expect(outcomes.filter(({ ending }) => ending === 'ok').map(({ result }) => result)).toEqual(
    Array.from({ length: CALLS / codes.length }, () => '1'),
  );
  const after = await sandbox.run({ language: 'javascript', code: '6 * 7', files: [] }, AbortSignal.timeout(WALL_MS));
  expect(after).toMatchObject({ ending: 'ok', result: '42' });
  await sandbox.close();
  expect(processesOf({ wallMs: WALL_MS })).toEqual([]);
  // Each could print a megabyte and write sixteen; the stored total is far less.
  expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(400 * 1_048_576);
});
