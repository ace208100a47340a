import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wholeDocument } from '../clients/openapiDocument.ts';

/**
 * `npm run types` for the pages: writes the types of the API from its route table, the one that serves it, and checks the pages against
 * them. Where the pages' packages are not installed, it says so and checks nothing.
 */
const folder = import.meta.dirname;
const generated = join(folder, 'src/api/openapi.d.ts');

if (!existsSync(join(folder, 'node_modules'))) {
  process.stdout.write(
    'console: its packages are not installed, its types were not checked (npm ci --prefix console)\n',
  );
} else {
  await writeTypes();
  const compiler = join(folder, '../node_modules/.bin/tsc');
  process.exitCode = spawnSync(compiler, ['-p', folder], { stdio: 'inherit' }).status ?? 1;
}

async function writeTypes(): Promise<void> {
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const document = await wholeDocument();
  // In the document optional fields of answers with a default are optional: a page must be ready for that too.
  const tree = await openapiTypes(document as never, { defaultNonNullable: false });
  await writeFile(generated, astToString(tree));
}
