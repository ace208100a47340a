import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LineLog, startChild } from './process/child.ts';
import type { Progress } from './download.ts';

const FOLDER = 'console';
// The lock, and the prefix of folders under construction.
const BUILDING = '.building';
const GRACE_MS = 2_000;
// A lock is renewed while its process lives: an older one belongs to a killed process.
const STALE_LOCK_MS = 60_000;
const RENEWAL_MS = 10_000;
const LAST_LINES = 5;
// Types generated from the API's document; they do not run.
const GENERATED = /openapi\.d\.ts$/;

type BuildOptions = {
  projectDir: string;
  /** npm's environment; with `npm_execpath` it is the npm that started us. */
  env: NodeJS.ProcessEnv;
  onProgress: Progress;
  log?: LineLog;
  signal?: AbortSignal;
};

/**
 * Builds the console's pages unless they are up to date; installs missing build packages. When several processes call it at once, one
 * builds and the others wait. A build replaces the earlier one as a whole, so that a partial build is never served.
 * @returns whether anything was built.
 * @throws the end of npm's output.
 */
export async function buildPages({ projectDir, onProgress, log = () => {}, ...npm }: BuildOptions): Promise<boolean> {
  const folder = join(projectDir, FOLDER);
  const run = (args: string[], env = npm.env) => runNpm(folder, args, { log, ...npm, env });
  return alone(folder, npm.signal, async () => {
    const fingerprint = await fingerprintOf(folder);
    const stamp = join(folder, 'dist', '.fingerprint');
    if ((await readFile(stamp, 'utf8').catch(() => '')) === fingerprint) return false;
    await install(folder, onProgress, run);
    onProgress("Building the console's pages");
    // Development and tests set another NODE_ENV, which would build React twice as large.
    const made = await mkdtemp(join(folder, BUILDING));
    try {
      await run(['run', 'build', '--', made], { ...npm.env, NODE_ENV: 'production' });
      await writeFile(join(made, '.fingerprint'), fingerprint);
      await replace(join(folder, 'dist'), made);
    } finally {
      await rm(made, { recursive: true, force: true });
    }
    return true;
  });
}

/** Whether there are pages, perhaps from earlier sources. */
export const arePagesBuilt = (projectDir: string): Promise<boolean> =>
  stat(join(projectDir, FOLDER, 'dist', 'index.html')).then(
    () => true,
    () => false,
  );

/** Replaces a folder by a new one. */
async function replace(folder: string, made: string): Promise<void> {
  const earlier = `${made}-earlier`;
  for (;;) {
    await rename(folder, earlier).catch(unless('ENOENT'));
    try {
      await rename(made, folder);
      break;
    } catch (error) {
      // Another build finished first, from the same sources.
      unless('ENOTEMPTY', 'EEXIST')(error);
    } finally {
      await rm(earlier, { recursive: true, force: true });
    }
  }
}

const unless =
  (...codes: string[]) =>
  (error: unknown): void => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  };

/** Installs the build packages unless they match the lockfile. */
async function install(folder: string, onProgress: Progress, run: (args: string[]) => Promise<void>): Promise<void> {
  const stamp = join(folder, 'node_modules', '.fingerprint');
  const lock = createHash('sha256')
    .update(await readFile(join(folder, 'package-lock.json')))
    .digest('hex');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === lock) return;
  onProgress("Installing the packages of the console's pages");
  // In production npm would omit the build packages.
  await run(['ci', '--include=dev', '--no-audit', '--no-fund']);
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await writeFile(stamp, lock);
}

/** A hash of every source file of the pages: file times change with each checkout. */
async function fingerprintOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const own = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const within = ['src', 'public'].map(async (part) => {
    const names = await readdir(join(folder, part), { recursive: true }).catch(() => []);
    return names.map((name) => join(part, name));
  });
  const sources = [...own, ...(await Promise.all(within)).flat()].filter((name) => !GENERATED.test(name));
  for (const name of sources.toSorted()) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) hash.update(`${name}\0`).update(await readFile(path));
  }
  return hash.digest('hex');
}

/** Locks by a folder, which only one process can create. */
async function alone<T>(folder: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const lock = join(folder, BUILDING);
  while (!(await takes(lock))) await sleep(200, undefined, { signal });
  const renewal = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), RENEWAL_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await rm(lock, { recursive: true, force: true });
  }
}

async function takes(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const held = await stat(lock).catch(() => undefined);
    if (held && Date.now() - held.mtimeMs > STALE_LOCK_MS) await rm(lock, { recursive: true, force: true });
    return false;
  }
}

type RunOptions = { env: NodeJS.ProcessEnv; log: LineLog; signal?: AbortSignal };

async function runNpm(cwd: string, args: string[], { env, log, signal }: RunOptions): Promise<void> {
  const lines: string[] = [];
  const note: LineLog = (line) => {
    log(line);
    if (lines.push(line) > LAST_LINES) lines.shift();
  };
  const { npm_execpath: npm, PATH = '' } = env;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const child = await startChild({
    command,
    args: [...first, ...args],
    cwd,
    // npm's scripts run with the Node of this process.
    env: { ...env, PATH: `${join(process.execPath, '..')}:${PATH}` },
    onStdout: note,
    onStderr: note,
    stopSignal: 'SIGTERM',
    signal,
    abortGraceMs: GRACE_MS,
  });
  const ending = await child.ended;
  const script = args.slice(0, 2).join(' ');
  if (ending !== EXITED_WELL) throw new Error(`npm ${script} in ${FOLDER}/ ${ending}: ${lines.join('\n')}`);
}

const EXITED_WELL = 'exited with code 0';
