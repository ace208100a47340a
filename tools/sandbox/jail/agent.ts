import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFrames, sendBytes, sendFrame, decodeFile, encodeFile, FRAME_KINDS } from '../frames.ts';
import { isFilePath } from '../files.ts';
import type { Limits } from '../limits.ts';
import { findPython } from '../runtimes.ts';
import type { Program, ProgramFile, Ending } from '../types.ts';

type Print = (stream: 'stdout' | 'stderr', bytes: Buffer) => void;

const CODE_FD = 3;
const RESULT_FD = 4;
const KIB = 1_024;
const MIB = KIB * KIB;
const TAIL_CHARACTERS = 2_000;
/** How long the output of a finished program may take to arrive. A process that it started could keep the pipe open. */
const LAST_OUTPUT_MS = 100;

const NAMES_SHOWN = 5;
const NAME_CHARACTERS_SHOWN = 100;

/** The modification time of given files until a program writes to them. */
const UNTOUCHED = new Date(0);

/**
 * Starts a Python program from its text, which arrives over file descriptor 3: the program sees none of our files, and its tracebacks
 * contain only its own lines.
 */
const PYTHON_START = `
import linecache, sys, traceback
with open(3, encoding='utf-8') as source:
    code = source.read()
name = 'program.py'
linecache.cache[name] = (len(code), None, code.splitlines(True), name)
sys.argv = [name]
sys.path.insert(0, '')
del source
try:
    exec(compile(code, name, 'exec'), {'__name__': '__main__', '__file__': name})
except Exception as error:
    traceback.print_exception(type(error), error, error.__traceback__.tb_next)
    sys.exit(1)
`;

// The first process in a jail: writes the files, runs the one program as a child, and sends its output and files. It shares the jail with
// the program, so the worker trusts it no more than the program.
const limits = JSON.parse(process.argv[2]!) as Limits;
sendFrame(FRAME_KINDS.ready);
const program = receiveProgram();
// The worker sends no more. Its pipe closes when the worker ends, and then the program ends too.
process.stdin.on('end', () => process.exit(1)).resume();
const { ending, result } = await runLanguage(program, limits, (stream, bytes) => sendFrame(FRAME_KINDS[stream], bytes));
const leftOut: string[] = [];
for (const file of changedFiles(process.cwd(), limits.diskBytes)) sendBytes(encodeFile(file));
if (leftOut.length > 0) sendFrame(FRAME_KINDS.stderr, leftOutText(leftOut));
sendFrame(FRAME_KINDS.end, JSON.stringify({ ending, result }));
process.exit(0);

function receiveProgram(): Pick<Program, 'language' | 'code'> {
  let received: Pick<Program, 'language' | 'code'> | undefined;
  readFrames(limits.diskBytes * 2, ({ kind, payload }) => {
    if (kind === FRAME_KINDS.program) received = JSON.parse(payload.toString()) as Pick<Program, 'language' | 'code'>;
    else store(decodeFile(payload));
    return received !== undefined;
  });
  return received!;
}

function store({ path, bytes }: { path: string; bytes: Uint8Array }): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  utimesSync(path, UNTOUCHED, UNTOUCHED);
}

/** The files below a folder that the program has written. Links, devices and pipes are ignored. */
function changedFiles(folder: string, diskBytes: number, prefix = ''): ProgramFile[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry): ProgramFile[] => {
    const path = `${prefix}${entry.name}`;
    try {
      if (entry.isDirectory()) return changedFiles(folder, diskBytes, `${path}/`);
      if (!entry.isFile()) return [];
      const { mtimeMs, size } = lstatSync(join(folder, path));
      // A sparse file reports more than the disk holds.
      if (mtimeMs === UNTOUCHED.getTime() || size > diskBytes) return [];
      if (isFilePath(path)) return [{ path, bytes: readFileSync(join(folder, path)) }];
    } catch {
      // Its name is not UTF-8, so that it cannot be found by the name in the list, or the program has made it unreadable.
    }
    leftOut.push(path);
    return [];
  });
}

function leftOutText(paths: string[]): string {
  const shown = paths.slice(0, NAMES_SHOWN).map((path) => JSON.stringify(path.slice(0, NAME_CHARACTERS_SHOWN)));
  const more = paths.length > shown.length ? `, and ${paths.length - shown.length} more` : '';
  return `Left out, because the name or the rights do not allow to keep it: ${shown.join(', ')}${more}.\n`;
}

/** Runs a program as a child in this jail; resolves when it has ended. */
async function runLanguage(
  { language, code }: Pick<Program, 'language' | 'code'>,
  limits: Limits,
  print: Print,
): Promise<{ ending: Ending; result: string | null }> {
  const command = language === 'python' ? pythonCommand(limits) : javascriptCommand(limits);
  const child = spawn(command[0]!, command.slice(1), { env: {}, stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] });
  const errors = forward(child, print);
  const result = collect(child.stdio[RESULT_FD] as Readable, limits.outputBytes);
  (child.stdio[CODE_FD] as Writable).on('error', () => undefined).end(code);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = await exitOf(child);
  await Promise.race([closed, sleep(LAST_OUTPUT_MS)]);
  return { ending: endingOf(end, errors()), result: result() || null };
}

function javascriptCommand({ memoryBytes }: Limits): string[] {
  return [
    process.execPath,
    `--max-old-space-size=${Math.floor(memoryBytes / MIB)}`,
    '--disable-warning=ExperimentalWarning',
    new URL('javascriptStart.ts', import.meta.url).pathname,
  ];
}

// Unlike V8, Python reserves no more memory than it uses, and raises MemoryError when the kernel refuses more.
function pythonCommand({ memoryBytes }: Limits): string[] {
  const limited = ['/bin/sh', '-c', `ulimit -d ${Math.floor(memoryBytes / KIB)} && exec "$@"`, 'sh'];
  return [...limited, findPython()!, '-I', '-B', '-u', '-X', 'utf8', '-c', PYTHON_START];
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child
      .once('exit', (code, signal) => resolve({ code, signal }))
      .once('error', () => resolve({ code: 1, signal: null }));
  });
}

function endingOf({ code, signal }: Exit, errors: string): Ending {
  if (code === 0) return 'ok';
  if (signal === 'SIGXCPU') return 'timed_out';
  if (signal === 'SIGKILL' || /heap out of memory|^MemoryError\b|Cannot allocate memory/m.test(errors))
    return 'out_of_memory';
  return /ENOSPC|No space left on device/.test(errors) ? 'disk_limit' : 'error';
}

/** Forwards a program's output; returns a function that reads the end of its error output. */
function forward(child: ChildProcess, print: Print): () => string {
  let tail = '';
  child.stdout!.on('data', (bytes: Buffer) => print('stdout', bytes));
  child.stderr!.on('data', (bytes: Buffer) => {
    tail = (tail + bytes.toString()).slice(-TAIL_CHARACTERS);
    print('stderr', bytes);
  });
  return () => tail;
}

function collect(stream: Readable, bytesMax: number): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    // More than the limit counts as the limit.
    if (text.length <= bytesMax) text += chunk;
  });
  return () => text;
}
