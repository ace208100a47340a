import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../findProgram.ts';
import { buildOnce } from './buildOnce.ts';
import { type BuildOptions, installPackages, runNpm, runTool } from './npm.ts';

// Read by the API: api/config.ts.
const OUTPUT = 'clients/dist';
// Beside the built files, what a package for npm consists of.
const SHIPPED = ['package.json', 'README.md', 'LICENSE', 'THIRD_PARTY.md'];

/** The folder of a language's package, and how it is built. */
const LANGUAGES = { typescript: packNpm, python: buildWheel };

/**
 * Builds the packages that customers install, unless they are up to date: for npm, and for Python where there is one with pip.
 * @returns whether anything was built.
 * @throws why a package could not be built, after the others are.
 */
export async function buildClients(options: BuildOptions): Promise<boolean> {
  const builds = Object.values(LANGUAGES).map((build) => build(options));
  const results = await Promise.allSettled(builds);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('\n'));
  return (await Promise.all(builds)).includes(true);
}

/** Installs what the sources of the package for TypeScript import, and what builds it. */
export const installClientPackages = (options: BuildOptions): Promise<void> =>
  installPackages(join(options.projectDir, 'clients/typescript'), 'the client for TypeScript', options);

function packNpm(options: BuildOptions): Promise<boolean> {
  const folder = join(options.projectDir, 'clients/typescript');
  return buildOnce({
    folder,
    parts: ['src', 'cli'],
    output: join(options.projectDir, OUTPUT, 'typescript'),
    signal: options.signal,
    async make(into) {
      await installClientPackages(options);
      options.onProgress('Building the client for TypeScript');
      // Packed in a folder of its own: the dist/ of developers stays as it is.
      const packed = join(into, 'package');
      await mkdir(packed);
      const files = await readdir(folder);
      for (const name of SHIPPED.filter((name) => files.includes(name)))
        await cp(join(folder, name), join(packed, name));
      await runNpm(folder, ['run', 'build', '--', join(packed, 'dist')], options);
      await runNpm(packed, ['pack', '--ignore-scripts', '--pack-destination', into], options);
      await rm(packed, { recursive: true });
    },
  });
}

async function buildWheel(options: BuildOptions): Promise<boolean> {
  const python = findProgram(['python3'], options.env.PATH ?? '');
  const folder = join(options.projectDir, 'clients/python');
  if (!python) return false;
  return buildOnce({
    folder,
    parts: ['src'],
    output: join(options.projectDir, OUTPUT, 'python'),
    signal: options.signal,
    async make(into) {
      options.onProgress('Building the client for Python');
      const args = ['-m', 'pip', 'wheel', '--no-deps', '--disable-pip-version-check', '--wheel-dir', into, folder];
      await runTool({ command: python, args, name: 'python3 -m pip wheel', cwd: folder }, options);
    },
  });
}
