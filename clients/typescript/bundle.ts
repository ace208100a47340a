import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { licencesOf } from './licences.ts';

/** Writes the command line as one file, with its packages, and their licences beside it. */
export async function bundleCommandLine(file: string): Promise<void> {
  const folder = import.meta.dirname;
  const { metafile } = await build({
    absWorkingDir: folder,
    metafile: true,
    entryPoints: [join(folder, 'cli/main.ts')],
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
  await writeFile(join(dirname(file), 'licences.txt'), await licencesOf(Object.keys(metafile.inputs), folder));
}
