import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { bundleCommandLine } from './bundle.ts';

/**
 * `npm run build -- [FOLDER]`: builds what the package ships into a folder, `dist` when left out. The library by the compiler, file by file,
 * and the command line as one file with its packages.
 */
const folder = import.meta.dirname;
const dist = resolve(folder, process.argv[2] ?? 'dist');

await rm(dist, { recursive: true, force: true });
execFileSync(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '-p', folder, '--outDir', dist], {
  stdio: 'inherit',
});
await bundleCommandLine(join(dist, 'cli.js'));
