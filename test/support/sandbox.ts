import { readdirSync, readFileSync } from 'node:fs';
import { openSandbox, type Program, type Sandbox } from '../../tools/sandbox/sandbox.ts';
import { productGlobal } from './productRealm.ts';

const kept = productGlobal as { testSandbox?: Promise<Sandbox> };

/**
 * The default sandbox for tests of what uses one: opened once for all test files of a Jest worker, because its escape suite takes two
 * seconds. It is never closed: its waiting children end with the worker.
 */
export function sharedSandbox(): Promise<Sandbox> {
  kept.testSandbox ??= openSandbox({ tier: 'quickjs' }).catch((error: unknown) => {
    delete kept.testSandbox;
    throw error;
  });
  return kept.testSandbox;
}

export const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text) });

export const textsOf = (files: Program['files']) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));

/**
 * The command lines of a worker's sandboxes on the whole machine: those that contain their time limit, and gVisor's, which contain the
 * worker's process id.
 */
export function processesOf({ wallMs, workerPid = process.pid }: { wallMs: number; workerPid?: number }): string[] {
  const marks = [`"wallMs":${wallMs}`, `/sandbox-${workerPid}-`];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => commandLineOf(pid))
    .filter((line) => marks.some((mark) => line.includes(mark)));
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
