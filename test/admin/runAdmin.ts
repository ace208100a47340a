import { execFile } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs the command line as an operator does, in a process of its own. */
export function runAdmin(args: string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: { PATH: process.env.PATH, ...env } };
    const child = execFile(process.execPath, ['admin/main.ts', ...args], options, (_, stdout, stderr) => {
      resolve({ exitCode: child.exitCode!, stdout, stderr });
    });
  });
}
