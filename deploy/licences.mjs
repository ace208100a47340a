// The list of packages and licences in THIRD_PARTY.md. `npm run licences` writes it; a test compares it with the lock files.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const HEADING = '## Packages\n';

// Packages whose package.json names no licence: read from their LICENSE file.
const READ = { 'png-js': 'MIT', unionfs: 'Unlicense' };

/** THIRD_PARTY.md with the list as the lock files have it. */
export function listedPackages() {
  const text = readFileSync(join(root, 'THIRD_PARTY.md'), 'utf8');
  const [before] = text.split(HEADING);
  return `${before.trimEnd()}\n\n${HEADING}${section('The service', 'package-lock.json')}${section('The pages of the console', 'console/package-lock.json')}`;
}

function section(title, lockFile) {
  const names = licencesOf(lockFile);
  const lines = Object.entries(names)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(
      ([licence, packages]) =>
        `- **${licence}** (${packages.size}): ${[...packages].toSorted((a, b) => a.localeCompare(b)).join(', ')}`,
    );
  return `\n### ${title}\n\n${lines.join('\n')}\n`;
}

/** Names of the packages that an installation without `dev` has, on any platform, by licence. */
function licencesOf(lockFile) {
  const { packages } = JSON.parse(readFileSync(join(root, lockFile), 'utf8'));
  const found = {};
  for (const [path, { dev, devOptional, link, name, license }] of Object.entries(packages)) {
    if (!path || dev || devOptional || link) continue;
    // An alias has the name of the package that it stands for.
    const own = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    (found[license ?? READ[own] ?? 'not named'] ??= new Set()).add(own);
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, 'THIRD_PARTY.md'), listedPackages());
