import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Package = {
  version?: string;
  os?: string[];
  optionalDependencies?: Record<string, string>;
  dependencies?: Record<string, string>;
};

const root = join(import.meta.dirname, '..', '..', '..');
const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, Package> };

// `npm install` omits packages for other platforms that the registry does not have, and then `npm ci` refuses the file.
test('the lock file names every package for every platform, so that `npm ci` accepts it', () => {
  const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isFound(path, name))
      .map((name) => `${name}, needed by ${path || 'the project'}`),
  );
  expect(missing).toEqual([]);
});

test('the lock files name no registry host', () => {
  // For a workspace, npm writes the folder.
  expect(text.replace('"resolved": "engines",\n      "link": true', '')).not.toContain('"resolved"');
  expect(readFileSync(join(root, 'test', 'clients', 'node', 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
});

test('the variants of the model’s engine for graphics cards, and WebRTC, are left out on every platform', () => {
  const unused = /@node-llama-cpp\/.*(cuda|vulkan|armv7l)|\/werift/;
  const installed = Object.entries(packages).filter(([path, { os }]) => unused.test(path) && os?.join() !== 'aix');
  expect(installed).toEqual([]);
});

/** Node's resolution: beside the package, then beside each package that contains it. */
function isFound(path: string, name: string): boolean {
  if (packages[`${path ? `${path}/` : ''}node_modules/${name}`]) return true;
  if (!path) return false;
  const end = path.lastIndexOf('/node_modules/');
  return isFound(end < 0 ? '' : path.slice(0, end), name);
}
