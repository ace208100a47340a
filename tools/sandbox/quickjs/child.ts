import { Worker } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type CustomizeVariantOptions,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { readFrames, sendBytes, sendFrame, decodeFile, encodeFile, FRAME_KINDS } from '../frames.ts';
import { NOBODY_ID, type Limits } from '../limits.ts';
import { prepareRun, createVirtualFiles } from './prepareRun.ts';

// The package's types describe its CommonJS form, whose default export is one level deeper.
const interpreter = variant as unknown as QuickJSSyncVariant;

// Part of every runtime, but only the browser types declare all of it.
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: new (pages: Pages) => object } }).WebAssembly;
type Pages = { initial: number; maximum: number };

const PAGE_BYTES = 65_536;
const INITIAL_PAGES = 256;

const WATCH = `
  const { parentPid } = require('node:worker_threads').workerData;
  setInterval(() => process.ppid === parentPid || process.kill(process.pid, 'SIGKILL'), 250);
`;

// The process of one call: loads the interpreter, waits for its program, runs it, sends its files, and ends.
const limits = JSON.parse(process.argv[2]!) as Limits;
// More than the limit counts as the limit, and fits into a frame.
const cut = (text: string) => text.slice(0, limits.outputBytes + 1);
const files = createVirtualFiles(limits.diskBytes);
const run = prepareRun(await loadInterpreter(), files, (stream, text) => sendFrame(FRAME_KINDS[stream], cut(text)));

endWithParent();
dropPrivileges();
sendFrame(FRAME_KINDS.ready);

const { ending, result } = run(receiveProgram());
for (const file of files.changed()) sendBytes(encodeFile(file));
sendFrame(FRAME_KINDS.end, JSON.stringify({ ending, result: result && cut(result) }));
process.exit(0);

// The interpreter's own count ignores fragmentation, so its memory has a fixed size instead.
function loadInterpreter() {
  const maximum = Math.max(INITIAL_PAGES, Math.floor(limits.memoryBytes / PAGE_BYTES));
  const bounded = { wasmMemory: new Memory({ initial: INITIAL_PAGES, maximum }) } as CustomizeVariantOptions;
  return newQuickJSWASMModuleFromVariant(newVariant(interpreter, bounded));
}

function receiveProgram(): string {
  let code = '';
  readFrames(limits.diskBytes * 2, ({ kind, payload }) => {
    if (kind === FRAME_KINDS.program) code = (JSON.parse(payload.toString()) as { code: string }).code;
    else {
      const { path, bytes } = decodeFile(payload);
      files.add(path, bytes);
    }
    return kind === FRAME_KINDS.program;
  });
  return code;
}

/** Drops root permanently, after all files are loaded: only root may be able to read them. */
function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups!([]);
  process.setgid!(NOBODY_ID);
  process.setuid!(NOBODY_ID);
}

/**
 * Ends this process when the worker that started it has ended, for any reason. It needs a thread, because a looping program blocks the main
 * one.
 */
function endWithParent(): void {
  const watch = new Worker(WATCH, {
    eval: true,
    env: {},
    workerData: { parentPid: process.ppid },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  });
  watch.unref();
}
