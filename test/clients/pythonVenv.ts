import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const scripts = join(import.meta.dirname, 'python');
const data = join(import.meta.dirname, '..', '..', '.data');

export const hasPython = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;

/** Makes a virtual environment with what a file of the scripts' folder requires, once for each state of that file. Returns its Python. */
export async function installVenv(name: string, requirementsFile: string): Promise<string> {
  const venv = join(data, name);
  const requirements = join(scripts, requirementsFile);
  const wanted = readFileSync(requirements, 'utf8');
  const mark = join(venv, 'installed.txt');
  const python = join(venv, 'bin', 'python');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return python;
  await runWell('python3', ['-m', 'venv', '--clear', venv]);
  await runWell(join(venv, 'bin', 'pip'), ['install', '--quiet', '--requirement', requirements]);
  writeFileSync(mark, wanted);
  return python;
}

async function runWell(command: string, args: string[]): Promise<void> {
  const { status, output } = await runPython(command, args);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${output}`);
}

/** Runs a program in the scripts' folder. Its two outputs come as one text. */
export async function runPython(command: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, { cwd: scripts, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}
