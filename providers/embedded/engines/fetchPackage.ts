import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hashOf, type Work } from './fetchFiles.ts';

const run = promisify(execFile);

/**
 * Fetches a package from npm's registry and unpacks some of its paths into a folder. None of its scripts runs, and what it depends on is not
 * fetched.
 * @throws when npm cannot fetch it, or when it has another content than expected.
 */
export async function fetchPackage(
  { name, version, integrity, keep }: { name: string; version: string; integrity: string; keep: readonly string[] },
  folder: string,
  { workDir, signal }: Work,
): Promise<void> {
  const target = join(workDir, 'packed', name);
  await mkdir(target, { recursive: true });
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', target, `${name}@${version}`];
  await run('npm', args, { cwd: target, signal });
  const archive = join(
    target,
    (await readdir(target)).find((file) => file.endsWith('.tgz'))!,
  );
  const found = `sha512-${(await hashOf(archive, 'sha512')).toString('base64')}`;
  if (found !== integrity) throw new Error(`the package ${name} has another checksum than expected`);
  await mkdir(folder, { recursive: true });
  const paths = keep.map((path) => `package/${path}`);
  await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1', ...paths], { signal });
}
