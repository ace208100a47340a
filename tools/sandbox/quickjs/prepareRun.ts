import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core';
import { textFor, isFilePath } from '../files.ts';

interface ProgramEnd {
  ending: 'ok' | 'error' | 'out_of_memory' | 'disk_limit';
  result: string | null;
}

type Print = (stream: 'stdout' | 'stderr', text: string) => void;

/** Allows top-level `await`; the value is then a promise of `{ value }`. QuickJS's JS_EVAL_FLAG_ASYNC. */
const EVAL_ASYNC = 1 << 7;
/** Deep enough for about 3,000 nested calls. The process needs several times as much stack for it. */
const STACK_BYTES = 524_288;
const ERROR_TEXT_MAX = 16_384;
const STACK_LINES_MAX = 10;

/**
 * Creates a fresh QuickJS with only four host functions, which exchange texts and bytes. Returns a function that runs the one program in
 * it. Nothing is disposed: the process ends afterwards.
 */
export function prepareRun(
  quickjs: QuickJSWASMModule,
  files: VirtualFiles,
  print: Print,
): (code: string) => ProgramEnd {
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  const toJson = install(context, files, print);

  function run(code: string): ProgramEnd {
    const started = context.evalCode(code, 'program.js', EVAL_ASYNC);
    if (started.error) return failed(context, started.error, print);
    const jobs = runtime.executePendingJobs();
    if (jobs.error) return failed(context, jobs.error, print);
    const state = context.getPromiseState(started.value);
    if (state.type === 'rejected') return failed(context, state.error, print);
    if (state.type === 'pending') return neverSettles(print);
    const json = context.callFunction(toJson, context.undefined, context.getProp(state.value, 'value'));
    if (json.error) return failed(context, json.error, print);
    return { ending: 'ok', result: context.typeof(json.value) === 'string' ? context.getString(json.value) : null };
  }

  return (code) => {
    try {
      return run(code);
    } catch (error) {
      // The interpreter itself failed, for example by a stack overflow.
      print('stderr', `InternalError: ${(error as Error).message}\n`);
      return { ending: 'error', result: null };
    }
  };
}

function neverSettles(print: Print): ProgramEnd {
  print('stderr', 'The program waits for a promise that never settles.\n');
  return { ending: 'error', result: null };
}

function install(context: QuickJSContext, files: VirtualFiles, print: Print): QuickJSHandle {
  const host = context.newObject();
  const offer = (name: string, call: (...values: QuickJSHandle[]) => QuickJSHandle | void) =>
    context.setProp(host, name, context.newFunction(name, call));
  const getString = (handle: QuickJSHandle) => context.getString(handle);
  const getText = (handle: QuickJSHandle) => JSON.parse(getString(handle)) as string;

  offer('print', (stream, text) => print(getString(stream) === 'stderr' ? 'stderr' : 'stdout', getText(text)));
  offer('list', () => context.newString(JSON.stringify(files.list())));
  offer('read', (path, form) => {
    const bytes = files.read(getText(path));
    if (getString(form) === 'text') return context.newString(JSON.stringify(textFor(bytes)));
    return context.newArrayBuffer(Uint8Array.from(bytes).buffer);
  });
  offer('write', (path, content) => {
    const isText = context.typeof(content) === 'string';
    // Copied, since the interpreter's memory is reused as soon as the call returns.
    const bytes = isText ? Buffer.from(getText(content)) : Buffer.from(context.getArrayBuffer(content).value);
    files.write(getText(path), bytes);
  });

  const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'sandbox.js'));
  return context.unwrapResult(context.callFunction(prelude, context.undefined, host));
}

function failed(context: QuickJSContext, handle: QuickJSHandle, print: Print): ProgramEnd {
  const error: unknown = context.dump(handle);
  const text = describe(error);
  print('stderr', `${text.slice(0, ERROR_TEXT_MAX)}\n`);
  if (text.startsWith('InternalError: out of memory')) return { ending: 'out_of_memory', result: null };
  return { ending: text.includes(DISK_FULL) ? 'disk_limit' : 'error', result: null };
}

function describe(error: unknown): string {
  // QuickJS throws null when there is no room even for an error.
  if (error === null) return 'InternalError: out of memory, or null was thrown';
  if (typeof error !== 'object' || error === null || !('message' in error)) return `Uncaught ${JSON.stringify(error)}`;
  const { name, message, stack } = error as { name?: string; message: string; stack?: string };
  const calls = (stack ?? '').split('\n').slice(0, STACK_LINES_MAX);
  return [`${name}: ${message}`, ...calls].join('\n').trimEnd();
}

/**
 * Runs inside QuickJS before the program: builds the program's globals from the host's four functions, and returns a function that writes a
 * value as JSON. It keeps its own references, so that a program that changes built-ins affects only itself. Texts cross to and from the
 * host as JSON, because plain ones would end at their first NUL.
 */
const PRELUDE = `(({ print, read, write, list }) => {
  const { parse, stringify } = JSON;
  const text = String;
  const { apply } = Reflect;
  const tag = Object.prototype.toString;
  const tagOf = (value) => apply(tag, value, []);
  const plain = (key, value) => (typeof value === 'bigint' ? text(value) : value);
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.name + ': ' + value.message + '\\n' + (value.stack ?? '');
    try {
      return typeof value === 'object' && value !== null ? stringify(value, plain) : text(value);
    } catch {
      return tagOf(value);
    }
  };
  const printer = (stream) => (...values) => print(stream, stringify(values.map(show).join(' ') + '\\n'));
  const out = printer('stdout');
  const err = printer('stderr');
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  define('console', { log: out, info: out, debug: out, warn: err, error: err });
  const named = (path) => stringify(text(path));
  define('readFile', (path) => parse(read(named(path), 'text')));
  define('readFileBytes', (path) => new Uint8Array(read(named(path), 'bytes')));
  define('writeFile', (path, content) => {
    if (typeof content === 'string') return write(named(path), stringify(content));
    if (content instanceof ArrayBuffer) return write(named(path), content);
    if (ArrayBuffer.isView(content)) {
      const { buffer, byteOffset, byteLength } = content;
      return write(named(path), buffer.slice(byteOffset, byteOffset + byteLength));
    }
    throw new TypeError('writeFile(path, content): content is a string or bytes');
  });
  define('listFiles', () => parse(list()));
  return (value) => {
    try {
      return stringify(value, plain) ?? null;
    } catch {
      return stringify(tagOf(value));
    }
  };
})`;

/** Thrown into the program when its files would exceed the disk limit. */
const DISK_FULL = 'The disk is full';

type VirtualFiles = ReturnType<typeof createVirtualFiles>;

/** A program's files, in memory: a path is only a key, so there is nothing to escape from. */
export function createVirtualFiles(diskBytes: number) {
  const files = new Map<string, Uint8Array>();
  const written = new Set<string>();
  let usedBytes = 0;

  function store(path: string, bytes: Uint8Array): void {
    const grownBytes = bytes.length - (files.get(path)?.length ?? 0);
    if (usedBytes + grownBytes > diskBytes) throw new Error(`${DISK_FULL}: ${diskBytes} bytes is the limit`);
    usedBytes += grownBytes;
    files.set(path, bytes);
  }

  return {
    /** Adds one of the program's input files. */
    add: store,
    read(path: string): Uint8Array {
      const bytes = files.get(normal(path));
      if (!bytes) throw new Error(`There is no file '${path}'. Files: ${[...files.keys()].join(', ') || 'none'}`);
      return bytes;
    },
    write(path: string, bytes: Uint8Array): void {
      const name = normal(path);
      if (!isFilePath(name))
        throw new Error(`'${path}' is not a valid path: use a relative path like 'out/report.txt'`);
      store(name, bytes);
      written.add(name);
    },
    list: () => [...files.keys()].toSorted(),
    changed: () => [...written].map((path) => ({ path, bytes: files.get(path)! })),
  };
}

const normal = (path: string) => path.replace(/^\.\//, '');
