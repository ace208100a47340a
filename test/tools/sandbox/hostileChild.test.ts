import { afterEach, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createSandbox, DEFAULT_LIMITS, type Sandbox } from '../../../tools/sandbox/sandbox.ts';
import type { Frame } from '../../../tools/sandbox/frames.ts';
import { runInChild } from '../../../tools/sandbox/runInChild.ts';

const limits = { ...DEFAULT_LIMITS, wallMs: 120_000, outputBytes: 1_000, diskBytes: 10_000 };
const HELPERS = `
  const frame = (kind, payload = '') => {
    const bytes = Buffer.from(payload);
    const header = Buffer.alloc(5);
    header.writeUInt32BE(bytes.length + 1);
    header[4] = kind;
    process.stdout.write(Buffer.concat([header, bytes]));
  };
  const file = (path, bytes) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(Buffer.byteLength(path));
    frame(4, Buffer.concat([length, Buffer.from(path), Buffer.from(bytes)]));
  };
  const end = (text = '{"ending":"ok","result":"1"}') => frame(6, text);
`;

let sandbox: Sandbox;
afterEach(() => sandbox?.close());

/** Runs a program with a child that sends arbitrary frames once it has its program. */
function runWithChild(onProgram: string, start = 'frame(1);') {
  const script = `${HELPERS}\n process.stdin.once('data', () => { ${onProgram} });\n ${start}`;
  sandbox = createSandbox(
    {
      name: 'quickjs',
      languages: ['javascript'],
      description: 'a child that fell to its program',
      overheadBytes: 1e9,
      prepare: async () => ({ command: [process.execPath, '-e', script] }),
    },
    limits,
  );
  return sandbox.run({ language: 'javascript', code: '', files: [] }, new AbortController().signal);
}

test('a child that follows the protocol is accepted', async () => {
  const outcome = await runWithChild(`frame(2, 'hello'); file('a/b.txt', 'x'); end()`);
  expect(outcome).toMatchObject({ ending: 'ok', stdout: 'hello', result: '1' });
  expect(outcome.files).toEqual([{ path: 'a/b.txt', bytes: Uint8Array.from(Buffer.from('x')) }]);
});

test.each([
  ['bytes that are no frame', `process.stdout.write('HTTP/1.1 200 OK\\r\\n\\r\\n'.repeat(10))`],
  ['a frame that says it has 4 GB', `process.stdout.write(Buffer.alloc(5, 255))`],
  ['a frame of no length', `process.stdout.write(Buffer.alloc(5))`],
  ['an unknown kind', `frame(77); end()`],
  ['a second ready', `frame(1); end()`],
  ['a file above its folder', `file('../up', 'x'); end()`],
  ['a file by its absolute path', `file('/etc/cron.d/x', 'x'); end()`],
  ['a file with a NUL in its name', `file('a\\0b', 'x'); end()`],
  ['a file without a name', `file('', 'x'); end()`],
  ['a file frame that ends within its path', `frame(4, Buffer.from([0, 99, 65])); end()`],
  ['an empty file frame', `frame(4); end()`],
  ['more bytes of files than the disk holds', `file('a', 'x'.repeat(6_000)); file('b', 'x'.repeat(6_000)); end()`],
  ['more files than are taken', `for (let i = 0; i < 2_000; i++) file('f' + i, ''); end()`],
  ['an end frame that is not JSON', `end('{')`],
  ['an end of null', `end('null')`],
  ['an ending that it may not say', `end('{"ending":"cancelled"}')`],
  ['nothing, and exits', `process.exit(3)`],
])('a child that sends %s is killed, and its files are dropped', async (_, onProgram) => {
  const outcome = await runWithChild(onProgram);
  expect(outcome).toMatchObject({ ending: 'error', result: null, files: [] });
  expect(outcome.stderr).toContain('The program broke the process that ran it.');
});

test('a child that prints endlessly is stopped at the limit', async () => {
  const outcome = await runWithChild(`setInterval(() => frame(2, 'x'.repeat(300)), 0)`);
  expect(outcome.ending).toBe('output_limit');
  expect(outcome.stdout).toBe('x'.repeat(limits.outputBytes));
});

test('a result counts as output', async () => {
  const outcome = await runWithChild(`end(JSON.stringify({ ending: 'ok', result: 'x'.repeat(2_000) }))`);
  expect(outcome).toMatchObject({ ending: 'output_limit', result: null });
});

test('a child that continues after its end is killed', async () => {
  const outcome = await runWithChild(`end(); setInterval(() => file('late', 'x'), 1)`);
  expect(outcome).toMatchObject({ ending: 'ok', files: [] });
});

test.each([
  [
    'dies before it is ready',
    `process.stderr.write('no such library'); process.exitCode = 9; process.stdin.destroy();`,
    /no such library/,
  ],
  ['speaks before it is ready', `frame(2, 'hello');`, /spoke before it was ready/],
])('a child that %s fails the sandbox, not the program', async (_, start, reason) => {
  await expect(runWithChild('', start)).rejects.toMatchObject({
    name: 'SandboxError',
    message: expect.stringMatching(reason),
  });
});

test('a missing program fails the sandbox', async () => {
  sandbox = createSandbox(
    {
      name: 'bwrap',
      languages: ['javascript'],
      description: '',
      overheadBytes: 0,
      prepare: async () => ({ command: ['/no/such/program'] }),
    },
    limits,
  );
  const run = sandbox.run({ language: 'javascript', code: '', files: [] }, new AbortController().signal);
  await expect(run).rejects.toMatchObject({ name: 'SandboxError' });
});

/** A child that sends these frames at once, split like a real child's. */
function runWithFrames(frames: Frame[]) {
  let onEnded: (status: { code: number | null; signal: null }) => void = () => undefined;
  const child = {
    pid: 0,
    alive: () => true,
    send: () => undefined,
    kill: () => onEnded({ code: 1, signal: null }),
    ended: new Promise<{ code: number | null; signal: null }>((resolve) => (onEnded = resolve)),
    listen: (onFrame: (frame: Frame) => void, onNonsense: () => void) => {
      try {
        frames.forEach(onFrame);
      } catch {
        onNonsense();
      }
      onEnded({ code: 0, signal: null });
    },
  };
  const program = { language: 'javascript' as const, code: '', files: [] };
  return runInChild(child, program, { limits, overheadBytes: 1e9, signal: new AbortController().signal });
}

const odd = fc.oneof(fc.constantFrom('__proto__', 'ok', 'error', null, 1, true, {}, []), fc.jsonValue());
const ending = fc.record({ ending: odd, result: odd, ['__proto__']: odd }, { requiredKeys: [] });
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  ending.map((end) => Buffer.from(JSON.stringify(end))),
  fc.string().map((path) => Buffer.concat([Buffer.from([0, path.length]), Buffer.from(`${path}bytes`)])),
);
const frameOf = fc.record({ kind: fc.integer({ min: 0, max: 255 }).map((kind) => kind % 9), payload });

test('whatever a child sends, its outcome has the promised types and limits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(frameOf, { maxLength: 6 }), async (frames) => {
      const { stdout, stderr, result, files, ending } = await runWithFrames(frames);
      expect([ending, stdout, stderr].map((text) => typeof text)).toEqual(['string', 'string', 'string']);
      expect(result === null || typeof result === 'string').toBe(true);
      expect(Buffer.byteLength(stdout) + Buffer.byteLength(result ?? '')).toBeLessThan(3 * limits.outputBytes);
      expect(files.every(({ path }) => !/^[/]|\.\.|\0/.test(path))).toBe(true);
      expect(({} as Record<string, unknown>).ending).toBeUndefined();
    }),
    { numRuns: 3_000 },
  );
});
