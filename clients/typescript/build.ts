import { execFileSync } from 'node:child_process';
import { chmod, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

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
await build({
  entryPoints: [join(folder, 'cli/main.ts')],
  outfile: join(dist, 'cli.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // The other form of jsonc-parser looks for its parts when it runs.
  mainFields: ['module', 'main'],
  // commander is CommonJS, and asks for Node's modules by `require`.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
await chmod(join(dist, 'cli.js'), 0o755);
