// The list of packages and licences in THIRD_PARTY.md. `npm run licences` writes it; a test compares it with the lock files.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { productionPackages } from './packages.mjs';

const path = join(import.meta.dirname, '..', '..', 'THIRD_PARTY.md');
const HEADING = '## Packages\n';

/** THIRD_PARTY.md with the list from the lock files. */
export function listedPackages() {
  const [before] = readFileSync(path, 'utf8').split(HEADING);
  const sections =
    section('The service', 'package-lock.json') + section('The pages of the console', 'console/package-lock.json');
  return `${before.trimEnd()}\n\n${HEADING}${sections}`;
}

function section(title, lockFile) {
  const byLicence = Object.groupBy(productionPackages(lockFile), ({ licence }) => licence);
  const lines = Object.entries(byLicence)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([licence, packages]) => lineOf(licence, new Set(packages.map(({ name }) => name))));
  return `\n### ${title}\n\n${lines.join('\n')}\n`;
}

function lineOf(licence, names) {
  return `- **${licence}** (${names.size}): ${[...names].toSorted((a, b) => a.localeCompare(b)).join(', ')}`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(path, listedPackages());
