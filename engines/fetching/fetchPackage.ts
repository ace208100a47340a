import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { npmRegistry } from '../config.ts';
import { hashOf, type Work } from './fetchFiles.ts';

const run = promisify(execFile);

/**
 * Fetches a package from npm's registry and unpacks some of its paths into a folder. Its scripts do not run, and its dependencies are not
 * fetched.
 * @throws when it cannot be fetched, or has unexpected content.
 */
export async function fetchPackage(
  { name, version, integrity, keep }: { name: string; version: string; integrity: string; keep: readonly string[] },
  folder: string,
  { workDir, signal }: Work,
  registryUrl = npmRegistry(),
): Promise<void> {
  const target = join(workDir, 'packed', name);
  await mkdir(target, { recursive: true });
  const archive = await packWithNpm(`${name}@${version}`, target, signal).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    // The container image has no npm.
    const file = `${basename(name)}-${version}.tgz`;
    return download(`${registryUrl}/${name}/-/${file}`, join(target, file), signal);
  });
  const found = `sha512-${(await hashOf(archive, 'sha512')).toString('base64')}`;
  if (found !== integrity) throw new Error(`the package ${name} has another checksum than expected`);
  await mkdir(folder, { recursive: true });
  const paths = keep.map((path) => `package/${path}`);
  await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1', ...paths], { signal });
}

/** npm uses the registry, the proxy and the authorities of its configuration. */
async function packWithNpm(wanted: string, folder: string, signal: AbortSignal): Promise<string> {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, wanted];
  await run('npm', args, { cwd: folder, signal });
  return join(
    folder,
    (await readdir(folder)).find((file) => file.endsWith('.tgz'))!,
  );
}

async function download(url: string, path: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw new Error(`npm's registry answered ${response.status}.`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
  return path;
}
