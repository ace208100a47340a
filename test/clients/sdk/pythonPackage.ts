import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildForTests, packedWheel } from '../packages/buildForTests.ts';
import { installVenv, runPython } from '../pythonVenv.ts';

const scripts = join(import.meta.dirname, 'python');

/** The package for Python as its users get it: a wheel, installed beside the packages it needs. */
export interface PythonPackage {
  python: string;
  wheel: string;
  /** The folder with the installed wheel. */
  site: string;
  /** Runs a script of the folder `python` beside this file; throws its output if it fails. Returns what it printed, as JSON. */
  run(script: string, env?: Record<string, string>): Promise<unknown>;
  /** Runs Python with the package, and returns its status and output. */
  call(
    args: string[],
    env?: Record<string, string>,
    options?: { cwd?: string },
  ): Promise<{ status: number | null; output: string }>;
  remove(): Promise<void>;
}

/**
 * Builds the wheel, once for all files, and unpacks it, for the machine's Python or another one. `pythonPackage.test.ts` installs it with
 * pip.
 */
export async function installPackage(version?: { name: string; command: string }): Promise<PythonPackage> {
  const venv = version ? `venv-sdk-${version.name.replace('.', '')}` : 'venv-sdk';
  const python = await installVenv(venv, 'sdk-requirements.txt', version?.command);
  const folder = await mkdtemp(join(tmpdir(), 'ledgerline-wheel-'));
  await buildForTests();
  const wheel = await packedWheel();
  const site = join(folder, 'site');
  const { status, output } = await runPython(python, ['-m', 'zipfile', '-e', wheel, site]);
  if (status !== 0) throw new Error(output);
  const call = (args: string[], env: Record<string, string> = {}, options: { cwd?: string } = {}) =>
    runPython(python, args, { PYTHONPATH: `${site}:${scripts}`, ...env }, options);
  return {
    python,
    wheel,
    site,
    call,
    async run(script, env = {}) {
      const { status, output } = await call([join(scripts, script)], env);
      if (status !== 0) throw new Error(output);
      return JSON.parse(output.trim().split('\n').at(-1)!);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
