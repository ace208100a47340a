// Runs after each `npm install` and `npm ci`: deletes package files that no program, type or test of the project reads. Plain JavaScript,
// run by npm's Node, which may be 20. It deletes nothing outside of the folder and may run any number of times.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? 'node_modules';

// Source maps, TypeScript sources (Node strips no types below node_modules), headers, static libraries and descriptions.
const unread = /\.(map|h|a)$|(?<!\.d)\.[cm]?ts$|^(readme|changelog|history)(\.md)?$/i;
// Webpack's source-map-loader reads the maps of the first two for the stack traces of workflows.
const whole = new Set(['@temporalio/workflow', '@temporalio/common', '.bin', '.cache']);

const unreadPaths = [
  // Sources of native parts, which are never built here.
  '@temporalio/core-bridge/sdk-core',
  'node-llama-cpp/llama/gitRelease.bundle',
  // Duplicates of modules for loaders other than Node's `import` or `require`, whichever is in use.
  '@modelcontextprotocol/sdk/dist/cjs',
  '@sinclair/typebox/build/esm',
  'js-tiktoken/dist/index.cjs',
  'js-tiktoken/dist/lite.cjs',
  'hono/dist/cjs',
  'kysely/dist/cjs',
  'marked/lib/marked.umd.js',
  'pdfkit/js/pdfkit.standalone.js',
  'pdfkit/js/pdfkit.browser.js',
  'pdfkit/js/pdfkit.browser.old.js',
  'fontkit/dist/browser.cjs',
  'fontkit/dist/browser-module.mjs',
  'rxjs/dist/bundles',
  'stripe/cjs',
  'rxjs/dist/esm',
  'rxjs/dist/esm5',
  // The viewer of recorded browser sessions, which no test records.
  'playwright-core/lib/vite',
  // Unused data: other tokenizers, and browser support by country.
  'js-tiktoken/dist/index.js',
  'caniuse-lite/data/features',
  'caniuse-lite/data/regions',
];

/** Native programs that packages ship for several platforms: this platform's names. */
const platforms = {
  'linux-x64': { bridge: 'x86_64-unknown-linux-gnu', engine: /^linux-x64$/ },
  'linux-arm64': { bridge: 'aarch64-unknown-linux-gnu', engine: /^linux-arm64$/ },
  'darwin-x64': { bridge: 'x86_64-apple-darwin', engine: /^mac-x64$/ },
  'darwin-arm64': { bridge: 'aarch64-apple-darwin', engine: /^mac-arm64/ },
};

for (const path of unreadPaths) remove(path);
for (const name of list('node/node_modules').filter((name) => /^node-(bin-)?(linux|darwin)-/.test(name)))
  for (const part of ['include', 'share']) remove(`node/node_modules/${name}/${part}`);
removeOthers('js-tiktoken/dist/ranks', (name) => /^o200k_base\.(js|d\.ts)$/.test(name));
// prom-client requires the second form of the API's package. The unstable conventions are unused.
for (const name of list('@opentelemetry').filter((name) => name !== 'api'))
  removeOthers(`@opentelemetry/${name}/dist`, (file) => !/\.c(js|ts)$|^(experimental_|index-incubating)/.test(file));
removeOthers('prettier/plugins', (name) => name.endsWith('.mjs'));
const own = platforms[`${process.platform}-${process.arch}`];
if (own) {
  removeOthers('@temporalio/core-bridge/releases', (name) => name === own.bridge);
  removeOthers('@node-llama-cpp', (name) => own.engine.test(name));
}
removeUnread('');
// Every `import 'zod'` would load its messages in 63 languages: 15 ms of each start. Errors here are in English.
replace('zod/v4/locales/index.js', 'export { default as en } from "./en.js";\n');

/** If this platform has none, the others stay, so that the package itself reports the missing program. */
function removeOthers(path, isOwn) {
  const names = list(path);
  if (names.some(isOwn)) for (const name of names.filter((name) => !isOwn(name))) remove(`${path}/${name}`);
}

function removeUnread(path) {
  for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
    const inner = path ? `${path}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      if (!whole.has(inner)) removeUnread(inner);
    } else if (entry.isFile() && unread.test(entry.name)) remove(inner);
  }
}

/** Written anew: a package's file may be a link to one that other checkouts use. */
function replace(path, text) {
  if (!existsSync(join(folder, path))) return;
  remove(path);
  writeFileSync(join(folder, path), text);
}

function list(path) {
  return existsSync(join(folder, path)) ? readdirSync(join(folder, path)) : [];
}

function remove(path) {
  rmSync(join(folder, path), { recursive: true, force: true });
}
