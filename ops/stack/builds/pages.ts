import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOnce } from './buildOnce.ts';
import { type BuildOptions, installPackages, runNpm } from './npm.ts';

const FOLDER = 'console';

/**
 * Builds the console's pages unless they are up to date; installs missing build packages.
 * @returns whether anything was built.
 * @throws the end of npm's output.
 */
export function buildPages({ projectDir, ...options }: BuildOptions): Promise<boolean> {
  const folder = join(projectDir, FOLDER);
  return buildOnce({
    folder,
    parts: ['src', 'public'],
    output: join(folder, 'dist'),
    signal: options.signal,
    async make(into) {
      await installPackages(folder, "the console's pages", { projectDir, ...options });
      options.onProgress("Building the console's pages");
      // Development and tests set another NODE_ENV, which would build React twice as large.
      const env = { ...options.env, NODE_ENV: 'production' };
      await runNpm(folder, ['run', 'build', '--', into], { ...options, env });
    },
  });
}

/** Whether there are pages, perhaps from earlier sources. */
export const arePagesBuilt = (projectDir: string): Promise<boolean> =>
  stat(join(projectDir, FOLDER, 'dist', 'index.html')).then(
    () => true,
    () => false,
  );
