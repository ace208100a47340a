import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// The lock, and the prefix of folders under construction.
const BUILDING = '.building';
// A lock is renewed while its process lives: an older one belongs to a killed process.
const STALE_LOCK_MS = 60_000;
const RENEWAL_MS = 10_000;
// Types generated from the API's document, which do not run; what Python compiles while it runs.
const GENERATED = /openapi\.d\.ts$|__pycache__/;

/** Something that is built from the sources of a folder. */
export interface Built {
  /** The sources: each file in it, and in these parts. */
  folder: string;
  parts: readonly string[];
  /** The folder of what is built. */
  output: string;
  /** Builds into an empty folder. */
  make: (into: string) => Promise<void>;
  signal?: AbortSignal | undefined;
}

/**
 * Builds unless the output is from these sources. When several processes call it at once, one builds and the others wait. An output
 * replaces the earlier one as a whole, so that a part of it is never served.
 * @returns whether anything was built.
 */
export function buildOnce({ folder, parts, output, make, signal }: Built): Promise<boolean> {
  return alone(folder, signal, async () => {
    const fingerprint = await fingerprintOf(folder, parts);
    const stamp = join(output, '.fingerprint');
    if ((await readFile(stamp, 'utf8').catch(() => '')) === fingerprint) return false;
    const made = await mkdtemp(join(folder, BUILDING));
    try {
      await make(made);
      await writeFile(join(made, '.fingerprint'), fingerprint);
      await mkdir(dirname(output), { recursive: true });
      await replace(output, made);
    } finally {
      await rm(made, { recursive: true, force: true });
    }
    return true;
  });
}

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

/** A hash of every source file: file times change with each checkout. */
async function fingerprintOf(folder: string, parts: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const own = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const within = parts.map(async (part) => {
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

/** Runs `work` while no other process runs such work for the folder: locked by a folder in it, which only one process can create. */
export async function alone<T>(folder: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
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
