import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

// Packages without a licence in their package.json: read from their LICENSE file.
const READ = { 'png-js': 'MIT', unionfs: 'Unlicense' };

/** The packages of an installation without `dev`, on any platform, each version once. */
export function productionPackages(lockFile) {
  const found = new Map();
  const { packages } = JSON.parse(readFileSync(join(root, lockFile), 'utf8'));
  for (const [path, { dev, link, name, version, license, integrity }] of Object.entries(packages)) {
    // A workspace, which the tree contains as a link, is our own package.
    if (!path.includes('node_modules/') || dev || link) continue;
    // An alias has the name of its target package.
    const own = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    found.set(`${own}@${version}`, { name: own, version, licence: license ?? READ[own] ?? 'not named', integrity });
  }
  return [...found.values()];
}

/** The project's package.json. */
export function readManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}
