import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

// Packages without a licence in their package.json: read from their LICENSE file.
const READ = { 'png-js': 'MIT', unionfs: 'Unlicense' };
// The native program of node-av contains FFmpeg, built with --enable-gpl, --enable-version3 and libfdk-aac; its package.json says MIT.
const FFMPEG = /^@seydx\/node-av-/;
const FFMPEG_LICENCE = 'MIT AND GPL-3.0-or-later AND FDK-AAC';

/** The packages of an installation without `dev`, on any platform, each version once; with `onlyInstalled`, those in `node_modules`. */
export function productionPackages(lockFile, { onlyInstalled = false } = {}) {
  const found = new Map();
  const { packages } = JSON.parse(readFileSync(join(root, lockFile), 'utf8'));
  for (const [path, { dev, link, name, version, license, integrity }] of Object.entries(packages)) {
    // A workspace, which the tree contains as a link, is our own package.
    if (!path.includes('node_modules/') || dev || link) continue;
    if (onlyInstalled && installedVersion(path) !== version) continue;
    // An alias has the name of its target package.
    const own = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    found.set(`${own}@${version}`, { name: own, version, licence: licenceOf(own, license), integrity });
  }
  return [...found.values()];
}

function licenceOf(name, stated) {
  return FFMPEG.test(name) ? FFMPEG_LICENCE : (stated ?? READ[name] ?? 'not named');
}

function installedVersion(path) {
  const manifest = join(root, path, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}

/** The project's package.json. */
export function readManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}
