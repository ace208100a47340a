import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type * as Run from '../../admin/run.ts';
import { importNatively } from '../support/startApi.ts';

const root = join(import.meta.dirname, '..', '..');

/** Runs a line of the command line inside this process: starting one takes a hundred times as long. */
export async function runAdmin(args: string[], env: Record<string, string>): Promise<Run.Ended> {
  const { run } = await importNatively<typeof Run>('admin/run.ts');
  return run(args, env);
}

/** Runs it as an operator does, in a process of its own. */
export function runAdminProcess(args: string[], env: Record<string, string>): Promise<Run.Ended> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: { PATH: process.env.PATH, ...env } };
    const child = execFile(process.execPath, ['admin/main.ts', ...args], options, (_, stdout, stderr) => {
      resolve({ exitCode: child.exitCode!, stdout, stderr });
    });
  });
}
