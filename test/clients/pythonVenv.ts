import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { productGlobal } from '../support/productRealm.ts';

const scripts = join(import.meta.dirname, 'python');
const data = join(import.meta.dirname, '..', '..', '.data');

const asked = productGlobal as { hasPython?: boolean };

/** Whether this machine has a Python with its tools for environments; asked once for all files of a Jest worker. */
export const hasPython = (asked.hasPython ??= spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0);

/**
 * Creates a virtual environment with the requirements of a file in the scripts' folder, once per state of that file, by the machine's
 * Python or another one. Returns its Python.
 */
export async function installVenv(name: string, requirementsFile: string, python = 'python3'): Promise<string> {
  const venv = join(data, name);
  const args = ['install_venv.py', venv, requirementsFile];
  const { status, output } = await runPython(python, args);
  if (status !== 0) throw new Error(`${python} ${args.join(' ')} ended with ${status}:\n${output}`);
  return join(venv, 'bin', 'python');
}

/** Runs a program, in the scripts' folder unless another is named. Returns its two outputs as one text. */
export async function runPython(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  { cwd = scripts }: { cwd?: string } = {},
) {
  const child = spawn(command, args, { cwd, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}
