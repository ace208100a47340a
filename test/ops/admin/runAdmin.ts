import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { run, type Ended } from '../../../ops/admin/run.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Runs a command line in this process: starting one takes a hundred times as long. */
export const runAdmin = (args: string[], env: Record<string, string>): Promise<Ended> => run(args, env);

/** Runs it as an operator does, in a separate process. */
export function runAdminProcess(args: string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const options = { cwd: root, env: { PATH, NODE_COMPILE_CACHE, ...env } };
    const child = execFile(process.execPath, ['ops/admin/main.ts', ...args], options, (_, stdout, stderr) => {
      resolve({ exitCode: child.exitCode!, stdout, stderr });
    });
  });
}
