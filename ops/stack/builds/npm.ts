import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Progress } from '../download.ts';
import { type LineLog, startChild } from '../process/child.ts';

const GRACE_MS = 2_000;
const LAST_LINES = 5;
// What npm says after its reason: its usage, and where its own log is.
const AFTERWORD = /^npm error (Usage:|A complete log)/;
const EXITED_WELL = 'exited with code 0';
// In production npm would omit the build packages, and under `npm --silent` say no reason.
const INSTALL = ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'];
// npm has no limit for a download that stalls. The second try finds in npm's cache what the first one fetched.
const INSTALL_LIMITS_MS = [5 * 60_000, 15 * 60_000];

/** How builds run programs, and what they report. */
export interface BuildOptions {
  projectDir: string;
  /** npm's environment; with `npm_execpath` it is the npm that started us. */
  env: NodeJS.ProcessEnv;
  onProgress: Progress;
  log?: LineLog;
  signal?: AbortSignal;
  /** How long each try of an installation may take. */
  installLimitsMs?: readonly number[];
}

type RunOptions = Pick<BuildOptions, 'env' | 'log' | 'signal'>;

/** Installs a folder's packages, with those that build, unless they match its lockfile. */
export async function installPackages(folder: string, what: string, options: BuildOptions): Promise<void> {
  const stamp = join(folder, 'node_modules', '.fingerprint');
  const lock = createHash('sha256')
    .update(await readFile(join(folder, 'package-lock.json')))
    .digest('hex');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === lock) return;
  options.onProgress(`Installing the packages of ${what}`);
  await installInTime(folder, options);
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await writeFile(stamp, lock);
}

async function installInTime(folder: string, options: BuildOptions): Promise<void> {
  const limitsMs = options.installLimitsMs ?? INSTALL_LIMITS_MS;
  for (const [at, limitMs] of limitsMs.entries()) {
    const limit = AbortSignal.timeout(limitMs);
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    try {
      return await runNpm(folder, INSTALL, { ...options, signal });
    } catch (error) {
      if (options.signal?.aborted || !limit.aborted || at === limitsMs.length - 1) throw error;
      options.onProgress(`The installation takes longer than ${limitMs / 1_000} s: it is started again`);
    }
  }
}

/** Runs npm in a folder. Throws the end of its output, without npm's usage. */
export async function runNpm(cwd: string, args: string[], options: RunOptions): Promise<void> {
  const { npm_execpath: npm } = options.env;
  const [command = 'npm', ...first] = npm ? [process.execPath, npm] : ['npm'];
  await runTool({ command, args: [...first, ...args], name: `npm ${args.slice(0, 2).join(' ')}`, cwd }, options);
}

/** Runs a program in a folder until it ends, with the Node of this process for scripts. Throws the end of its output. */
export async function runTool(
  { command, args, name, cwd }: { command: string; args: string[]; name: string; cwd: string },
  { env, log, signal }: RunOptions,
): Promise<void> {
  const lines: string[] = [];
  let isOver = false;
  const note: LineLog = (line) => {
    log?.(line);
    isOver ||= AFTERWORD.test(line);
    if (isOver || line === 'npm error') return;
    if (lines.push(line) > LAST_LINES) lines.shift();
  };
  const child = await startChild({
    command,
    args,
    cwd,
    env: { ...env, PATH: `${join(process.execPath, '..')}:${env.PATH ?? ''}` },
    onStdout: note,
    onStderr: note,
    stopSignal: 'SIGTERM',
    signal,
    abortGraceMs: GRACE_MS,
  });
  const ending = await child.ended;
  if (ending !== EXITED_WELL) throw new Error(`${name} in ${basename(cwd)}/ ${ending}: ${lines.join('\n')}`);
}
