import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Package = {
  version?: string;
  os?: string[];
  optional?: boolean;
  engines?: { node?: string };
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

// npm prints EBADENGINE for each package that does not.
test('every package accepts the oldest Node that package.json asks for', () => {
  const wanted = /^>=(\d+\.\d+\.\d+)$/.exec(packages['']!.engines!.node!)![1]!;
  const others = Object.entries(packages).filter(([, { engines }]) => engines?.node && !accepts(engines.node, wanted));
  expect(others.map(([path, { engines }]) => `${path}: ${engines!.node}`)).toEqual([]);
  expect((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package).engines!.node).toBe(`>=${wanted}`);
});

/** Whether one alternative of the range begins at or below the version; a caret or a bare number keeps the major version. */
function accepts(range: string, version: string): boolean {
  const numbers = (text: string) => [0, 1, 2].map((at) => Number(text.split('.')[at] ?? 0));
  const [major, minor, patch] = numbers(version) as [number, number, number];
  return range.split('||').some((alternative) => {
    const [, sign, first] = /(\^|>=|~)?\s*v?(\d[\d.]*|\*)/.exec(alternative)!;
    if (first === '*') return true;
    const [a, b, c] = numbers(first!) as [number, number, number];
    const isBelow = a < major || (a === major && (b < minor || (b === minor && c <= patch)));
    return isBelow && (sign === '>=' || a === major);
  });
}

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
