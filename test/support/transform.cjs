/**
 * Jest's replacement for a file. For a test and the files beside it: the file with its types stripped, loaded again for each test file. For
 * the product and the packages: a module that re-exports Node's own copy, loaded once for all test files of a worker. Loaded by Jest, they
 * would cost each file half a second of CPU, and the API in a test's process would be another copy.
 */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { stripTypeScriptTypes } = require('node:module');
const { join, sep } = require('node:path');

const ownText = readFileSync(__filename, 'utf8');

module.exports = {
  getCacheKey(source, path, { config, supportsStaticESM, supportsDynamicImport }) {
    // A package's exports may change while the file does not.
    const versions = path.includes(`${sep}node_modules${sep}`) ? lockOf(config.rootDir) : '';
    const parts = [ownText, process.version, path, versions, supportsStaticESM, supportsDynamicImport, source];
    return createHash('sha256').update(parts.join('\0')).digest('hex');
  },
  process(source, path, { config, supportsStaticESM, supportsDynamicImport }) {
    const isOfTests = path.startsWith(join(config.rootDir, 'test') + sep);
    // Jest's main process, which loads its runner and the global setup, is the only caller without dynamic imports.
    if (isOfTests || !supportsDynamicImport) return { code: withoutTypes(source, path) };
    if (!supportsStaticESM) return { code: `module.exports = ${loadingOf(path)};` };
    return { code: moduleOf(path) ?? withoutTypes(source, path) };
  },
};

const withoutTypes = (source, path) => (path.endsWith('ts') ? stripTypeScriptTypes(source, { mode: 'strip' }) : source);

/** A module that re-exports the module at this path. Without exports if that awaits at its top level: a transform cannot wait. */
function moduleOf(path) {
  const loaded = loadedAtOnce(path);
  if (!loaded) return undefined;
  const { default: main, 'module.exports': _, ...named } = loaded;
  const names = Object.keys(named).map((name) => JSON.stringify(name));
  const constants = names.map((name, at) => `const export${at} = loaded[${name}];`);
  const list = names.map((name, at) => `export${at} as ${name}`);
  return [
    "import vm from 'node:vm';",
    `const loaded = ${loadingOf(path, 'vm')};`,
    ...constants,
    `export { ${list.join(', ')} };`,
    main === undefined ? '' : 'export default loaded.default;',
  ].join('\n');
}

function loadedAtOnce(path) {
  try {
    return require(path);
  } catch (error) {
    if (error.code === 'ERR_REQUIRE_ASYNC_MODULE') return undefined;
    throw error;
  }
}

/** The expression that loads a path in Node's own realm: a test's `require` is Jest's. */
function loadingOf(path, vm = "require('node:vm')") {
  const file = JSON.stringify(path);
  return `${vm}.runInThisContext('process').getBuiltinModule('node:module').createRequire(${file})(${file})`;
}

let lock;
const lockOf = (rootDir) => (lock ??= readFileSync(join(rootDir, 'package-lock.json'), 'utf8'));
