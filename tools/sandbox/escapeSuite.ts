import { createServer, type AddressInfo, type Server } from 'node:net';
import { SandboxError, type Ending, type Outcome, type Program, type Sandbox } from './types.ts';

const KILL_AFTER_MS = 100;
const ABORT_AFTER_MS = 20_000;

interface Attempt {
  what: string;
  program: Program;
  /** Aborts the program after this time, if no limit ends it in time. */
  abortAfterMs?: number;
  isContained: (outcome: Outcome) => boolean;
}

/**
 * Tries the known ways to break out of a sandbox, and throws a `SandboxError` that names those that worked. Runs at every start of a
 * worker, so it takes only a second or two: a tier that is safe on one kernel or in one container may be unsafe on another.
 */
export async function assertContained(sandbox: Sandbox): Promise<void> {
  const listener = await listen();
  try {
    const attempts = [...reaches(sandbox, portOf(listener)), ...excesses(sandbox)];
    const escapes = await Promise.all(attempts.map((attempt) => escapeOf(sandbox, attempt)));
    const worked = escapes.filter((escape) => escape !== null);
    if (worked.length > 0) throw new SandboxError(`The ${sandbox.tier} sandbox does not hold: ${worked.join('; ')}.`);
  } finally {
    listener.close();
  }
}

async function escapeOf(
  sandbox: Sandbox,
  { what, program, abortAfterMs, isContained }: Attempt,
): Promise<string | null> {
  const outcome = await sandbox.run(program, AbortSignal.timeout(abortAfterMs ?? ABORT_AFTER_MS));
  return isContained(outcome) ? null : `${what} (${outcome.ending}: ${outcome.stdout}${outcome.stderr})`.slice(0, 500);
}

/** Programs that print what they could reach. */
function reaches(sandbox: Sandbox, port: number): Attempt[] {
  const target = { port, pid: process.pid, folder: process.cwd(), isNodeHidden: sandbox.tier === 'quickjs' };
  return sandbox.languages.map((language) => ({
    what: `${language} reached the host`,
    program: program(language === 'python' ? pythonProbe(target) : javascriptProbe(target), language),
    isContained: ({ ending, stdout }) => ending === 'ok' && stdout.trim() === 'reached: nothing',
  }));
}

const endsWith =
  (...endings: Ending[]) =>
  ({ ending }: Outcome) =>
    endings.includes(ending);

/** Programs that exceed limits. On a busy machine the time limit may be reached first. */
function excesses({ languages }: Sandbox): Attempt[] {
  return [
    ...(languages.includes('javascript') ? JAVASCRIPT_EXCESSES : []),
    ...(languages.includes('python') ? PYTHON_EXCESSES : []),
  ].map(({ code, language, ...attempt }) => ({ ...attempt, program: program(code, language) }));
}

type Excess = Omit<Attempt, 'program'> & Pick<Program, 'code' | 'language'>;

const JAVASCRIPT_EXCESSES: Excess[] = [
  {
    what: 'an endless loop could not be stopped',
    language: 'javascript',
    code: 'for (;;);',
    abortAfterMs: KILL_AFTER_MS,
    isContained: endsWith('cancelled'),
  },
  {
    what: 'a long built-in could not be stopped',
    language: 'javascript',
    code: `('a'.repeat(2 ** 24) + 'b').repeat(4).indexOf('a'.repeat(2 ** 23) + 'c')`,
    abortAfterMs: KILL_AFTER_MS,
    isContained: endsWith('cancelled'),
  },
  {
    what: 'output is not bounded',
    language: 'javascript',
    code: `for (;;) console.log('x'.repeat(65_536))`,
    isContained: endsWith('output_limit'),
  },
  {
    what: 'memory is not bounded',
    language: 'javascript',
    code: `const held = []; for (let i = 0; i < 100; i++) held.push(new Uint8Array(8_000_000).fill(1)); held.length`,
    isContained: endsWith('out_of_memory', 'error', 'timed_out'),
  },
];

const PYTHON_EXCESSES: Excess[] = [
  {
    what: 'a long built-in of Python could not be stopped',
    language: 'python',
    code: 'pow(7, 10 ** 9)',
    abortAfterMs: KILL_AFTER_MS,
    isContained: endsWith('cancelled'),
  },
  {
    what: 'output of Python is not bounded',
    language: 'python',
    code: "while True: print('x' * 65_536)",
    isContained: endsWith('output_limit'),
  },
  {
    what: 'memory of Python is not bounded',
    language: 'python',
    code: "held = [b'x' * 8_000_000 for _ in range(100)]",
    isContained: endsWith('out_of_memory', 'error', 'timed_out'),
  },
  {
    what: 'processes of Python are not bounded',
    language: 'python',
    code: `import os, time
try:
    for _ in range(500):
        if os.fork() == 0: time.sleep(60)
    print('forked')
except OSError: print('refused')
os.kill(0, 9)`,
    isContained: ({ stdout }) => stdout.trim() !== 'forked',
  },
];

const program = (code: string, language: Program['language'] = 'javascript'): Program => ({
  language,
  code,
  files: [],
});

function listen(): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve(server));
  });
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** The targets that a probe must not reach: a port of the worker, the worker's process, its folder, and in QuickJS all of Node. */
interface Target {
  port: number;
  pid: number;
  folder: string;
  isNodeHidden: boolean;
}

/** A program that prints `reached: nothing`, or the reached targets. It runs in QuickJS and in Node. */
const javascriptProbe = ({ port, pid, folder, isNodeHidden }: Target) => `
const reached = [];
const tryTo = async (what, attempt) => {
  try { if (await attempt()) reached.push(what); } catch {}
};
const node = [
  () => process,
  () => console.log.constructor('return process')(),
  () => readFile.constructor.constructor('return globalThis')().process,
].map((find) => { try { return find(); } catch { return undefined; } }).find((found) => found?.versions);
if (node && ${isNodeHidden}) reached.push('process');
const fs = node?.getBuiltinModule('fs');
for (const path of ['/etc/passwd', '/etc/shadow', ${JSON.stringify(`${folder}/package.json`)}, '../etc/passwd']) {
  await tryTo(path, () => readFile(path));
  await tryTo(path, () => fs.readFileSync(path));
}
// A jail may have its own processes; the host's have a search path.
await tryTo('processes', () => fs.readFileSync('/proc/1/environ', 'utf8').includes('PATH='));
await tryTo('a written file outside', () => { writeFile('../escaped', 'x'); return true; });
await tryTo('a written root', () => { fs.writeFileSync('/escaped', 'x'); return true; });
await tryTo('the environment', () => Object.keys(node.env).length > 0);
await tryTo('root', () => node.getuid() === 0);
await tryTo('the worker', () => { try { return node.kill(${pid}, 0); } catch (error) { return error.code === 'EPERM'; } });
await tryTo('the network', () => new Promise((resolve) => {
  const socket = node.getBuiltinModule('net').connect(${port}, '127.0.0.1');
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
}));
await tryTo('a mount', () => node.getBuiltinModule('child_process').execFileSync('/bin/sh', ['-c', 'unshare -Ur true || mount -t tmpfs none /work']) && true);
console.log('reached: ' + (reached.join(', ') || 'nothing'));
`;

/** The same in Python. */
const pythonProbe = ({ port, pid, folder }: Target) => `
import os, socket  # The shell and Python set a few names themselves.
reached = []
def try_to(what, attempt):
    try:
        if attempt(): reached.append(what)
    except OSError: pass
for path in ['/etc/passwd', '/etc/shadow', ${JSON.stringify(`${folder}/package.json`)}]:
    try_to(path, lambda: open(path).read())
try_to('processes', lambda: 'PATH=' in open('/proc/1/environ').read())
try_to('a written root', lambda: open('/escaped', 'w'))
try_to('the environment', lambda: set(os.environ) - {'LC_CTYPE', 'PWD', 'OLDPWD', 'SHLVL', '_'})
try_to('root', lambda: os.getuid() == 0)
try_to('the network', lambda: socket.create_connection(('127.0.0.1', ${port}), 1))
try_to('root again', lambda: os.setuid(0) is None)
def worker():
    try: os.kill(${pid}, 0)
    except ProcessLookupError: return False
    except PermissionError: pass
    return True
try_to('the worker', worker)
print('reached: ' + (', '.join(reached) or 'nothing'))
`;
