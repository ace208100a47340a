import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Writes the command line as one file, with its packages. */
export async function bundleCommandLine(file: string): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'cli/main.ts')],
    outfile: file,
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
  await chmod(file, 0o755);
}
