import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openBwrap } from '../../../tools/sandbox/bwrap.ts';
import {
  createSandbox,
  DEFAULT_LIMITS,
  type Ending,
  type Language,
  type Limits,
  type Sandbox,
  type SandboxTier,
} from '../../../tools/sandbox/sandbox.ts';
import { openGvisor } from '../../../tools/sandbox/gvisor.ts';
import { openQuickjs } from '../../../tools/sandbox/quickjs.ts';
import { processesOf } from '../../support/sandbox.ts';
import { describeTiers } from '../../support/sandboxTiers.ts';

const WALL_MS = 421;
/** Enough to print something on a busy machine. */
const PRINTED_WALL_MS = 1_521;
const LONG_WALL_MS = 120_021;
const never = new AbortController().signal;
const tiers = { quickjs: openQuickjs, bwrap: openBwrap, gvisor: openGvisor };

let sandbox: Sandbox;
/** A timeout long enough for a busy machine. */
let patient: Sandbox;

/** A sandbox without the escape suite, whose attempts are among these programs. */
async function openTier(tier: SandboxTier, changes: Partial<Limits>): Promise<Sandbox> {
  const limits = { ...DEFAULT_LIMITS, ...changes };
  return createSandbox(await tiers[tier](limits), limits);
}

async function open(tier: SandboxTier): Promise<void> {
  patient = await openTier(tier, { wallMs: LONG_WALL_MS, cpuMs: LONG_WALL_MS });
  sandbox = await openTier(tier, { wallMs: WALL_MS });
}

const close = () => Promise.all([sandbox.close(), patient.close()]);

async function expectNothingLeft(): Promise<void> {
  await close();
  expect([WALL_MS, PRINTED_WALL_MS, LONG_WALL_MS].flatMap((wallMs) => processesOf({ wallMs }))).toEqual([]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`sandbox-${process.pid}-`))).toEqual([]);
}

const endingOf = async (code: string, signal = never): Promise<Ending> =>
  (await patient.run({ language: 'javascript', code, files: [] }, signal)).ending;

/** Runs a program that must end in one of these ways. Its time limit is short when a timeout is one of them. */
async function expectContained(language: Language, code: string, endings: Ending[]): Promise<void> {
  const { ending } = await (endings.includes('timed_out') ? sandbox : patient).run(
    { language, code, files: [] },
    never,
  );
  expect(endings).toContain(ending);
}

const hostileScripts: [string, string, Ending[]][] = [
  ['an endless loop', 'for (;;);', ['timed_out']],
  [
    'an endless chain of promises',
    'const again = () => Promise.resolve().then(again); await again()',
    ['timed_out', 'out_of_memory'],
  ],
  ['a long built-in', `'a'.repeat(2 ** 24).indexOf('a'.repeat(2 ** 23) + 'b')`, ['timed_out', 'ok', 'error']],
  ['a long conversion', '(7n ** 900_000n).toString().length', ['timed_out', 'ok', 'error']],
  ['a slow pattern', `/^(a+)+$/.test('a'.repeat(60) + 'b')`, ['timed_out', 'error']],
  [
    '800 MB in pieces',
    'const held = []; for (let i = 0; i < 800; i++) held.push(new Uint8Array(1e6).fill(1))',
    ['out_of_memory', 'error'],
  ],
  ['800 MB of texts', 'let s = "x"; for (;;) s = s + s + s.length', ['out_of_memory', 'error']],
  ['an endless array', 'const held = []; for (;;) held.push({})', ['out_of_memory', 'timed_out']],
  ['a flood of lines', 'for (;;) console.log("x".repeat(1000))', ['output_limit']],
  ['one line of 20 MB', 'console.log("x".repeat(2e7))', ['output_limit', 'out_of_memory']],
  ['a result of 2 MB', '"x".repeat(2e6)', ['output_limit']],
  ['a text nested 400,000 deep', 'JSON.parse("[".repeat(4e5))', ['error']],
  ['a value nested 100,000 deep', 'let v = []; for (let i = 0; i < 1e5; i++) v = [v]; v', ['ok', 'error', 'timed_out']],
  ['a recursion without end', 'const again = () => again() + 1; again()', ['error']],
  ['files without end', 'for (let i = 0; ; i++) writeFile("f" + i, "x".repeat(1e6))', ['disk_limit']],
  ['more files than are taken', 'for (let i = 0; i < 1_500; i++) writeFile("f" + i, "")', ['error']],
  ['a file outside', 'writeFile("../../escaped", "x")', ['error']],
  ['an absolute file', 'writeFile("/escaped", "x")', ['error']],
  [
    'an error that throws when it is read',
    'throw { get message() { throw 1 }, get stack() { for (;;); } }',
    ['error', 'timed_out'],
  ],
  ['a thrown symbol', 'throw Symbol("s")', ['error']],
];

describeTiers('hostile JavaScript', ['quickjs', 'bwrap', 'gvisor'], (tier) => {
  beforeAll(() => open(tier));
  afterAll(close);

  test.each(hostileScripts)('%s is contained', (_, code, endings) => expectContained('javascript', code, endings));

  // Without the abort, its end would be `timed_out`, after two minutes.
  test.each([0, 60, 600])('an abort after %s ms ends a program, and the next one runs', async (afterMs) => {
    expect(await endingOf('for (;;);', AbortSignal.timeout(afterMs))).toBe('cancelled');
    expect(await endingOf('1')).toBe('ok');
  });

  test('a program that is aborted before its start does not run', async () => {
    expect(await endingOf('1', AbortSignal.abort())).toBe('cancelled');
  });

  test('keeps what a program printed before it was ended', async () => {
    const printing = await openTier(tier, { wallMs: PRINTED_WALL_MS });
    const code = `console.log('so far'); for (;;);`;
    const { ending, stdout } = await printing.run({ language: 'javascript', code, files: [] }, never);
    await printing.close();
    expect({ ending, stdout }).toEqual({ ending: 'timed_out', stdout: 'so far\n' });
  });

  test('concurrent programs do not affect each other', async () => {
    const codes = [
      '1 + 1',
      'for (;;) console.log("x".repeat(1000))',
      'throw 1',
      '2 + 2',
      'JSON.parse("[".repeat(4e5))',
      '3 + 3',
    ];
    const outcomes = await Promise.all(
      codes.map((code) => patient.run({ language: 'javascript', code, files: [] }, never)),
    );
    expect(outcomes.map(({ ending }) => ending)).toEqual(['ok', 'output_limit', 'error', 'ok', 'error', 'ok']);
    expect([outcomes[0], outcomes[3], outcomes[5]].map((outcome) => outcome!.result)).toEqual(['2', '4', '6']);
  });

  test('leaves no process and no folder once the sandbox is closed', expectNothingLeft);
});

const hostilePython: [string, string, Ending[]][] = [
  [
    'a fork bomb',
    'import os\nwhile True:\n    try: os.fork()\n    except OSError: pass',
    ['timed_out', 'out_of_memory', 'error'],
  ],
  [
    'a bomb of threads',
    'import threading, time\nwhile True:\n    threading.Thread(target=time.sleep, args=(99,)).start()',
    ['error', 'timed_out', 'out_of_memory'],
  ],
  ['800 MB', 'held = b"x" * 800_000_000', ['out_of_memory']],
  [
    '800 MB in many processes',
    'import os, time\nfor i in range(16):\n    if os.fork() == 0:\n        held = b"x" * 50_000_000\n        time.sleep(99)\ntime.sleep(99)',
    ['out_of_memory'],
  ],
  ['a disk that is full', 'open("big", "wb").write(b"x" * 20_000_000)', ['disk_limit']],
  ['a file of holes', 'open("big", "wb").truncate(10 ** 12)', ['ok', 'error', 'disk_limit']],
  ['a flood of output', 'while True: print("x" * 1000)', ['output_limit']],
  [
    'a process that ignores its limits',
    'import signal\nfor n in range(1, 32):\n    try: signal.signal(n, signal.SIG_IGN)\n    except OSError: pass\nwhile True: pass',
    ['timed_out'],
  ],
  [
    'what speaks like the process around it',
    'import os\nfor fd in range(3, 64):\n    try: os.write(fd, b"\\xff" * 4096)\n    except OSError: pass',
    ['ok', 'error'],
  ],
  ['a killer of all processes', 'import os\nos.kill(-1, 9)', ['out_of_memory', 'error', 'ok']],
];

describeTiers('hostile Python', ['bwrap', 'gvisor'], (tier) => {
  beforeAll(() => open(tier));
  afterAll(close);

  test.each(hostilePython)('%s is contained', (_, code, endings) => expectContained('python', code, endings));

  test("a program's child process ends with it", async () => {
    const code =
      'import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(9_999)\nelse: print("left")';
    const outcome = await patient.run({ language: 'python', code, files: [] }, never);
    expect(outcome).toMatchObject({ ending: 'ok', stdout: 'left\n' });
    await expectNothingLeft();
  });
});

describeTiers('a jail of namespaces', ['bwrap'], (tier) => {
  beforeAll(() => open(tier));
  afterAll(close);

  test.each([
    ['a socket', 'import socket; socket.socket()'],
    [
      'a namespace',
      'import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); libc.unshare(0x10000000) and exec("raise PermissionError(ctypes.get_errno())")',
    ],
    [
      'a trace',
      'import ctypes; libc = ctypes.CDLL(None, use_errno=True); libc.ptrace(0, 0, 0, 0) and exec("raise PermissionError(ctypes.get_errno())")',
    ],
  ])('its kernel refuses %s', async (_, code) => {
    const { ending, stderr } = await patient.run({ language: 'python', code, files: [] }, never);
    expect({ ending, isRefused: /PermissionError: (\[Errno )?1\b/.test(stderr) }).toEqual({
      ending: 'error',
      isRefused: true,
    });
  });
});
