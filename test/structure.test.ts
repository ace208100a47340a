import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { homes, loadedLate, mayImport } from './support/layout.ts';
import { functionsOf, listFiles, readSources, readText, type Source } from './support/sources.ts';

const sources = readSources();
const product = sources.filter(({ folder }) => folder !== 'test');

// These lists may only shrink: remove an entry that no longer applies; numbers may only fall.
const [longFiles, longFunctions]: Record<string, number>[] = [{}, {}];
const readsEnvironment = ['ops/admin/main.ts'];

const isWithin = (path: string, places: readonly string[]) =>
  places.some((place) => path === place || path.startsWith(`${place}/`));

/** The folder whose import rule counts for a file. */
const roomOf = (path: string) =>
  Object.keys(mayImport)
    .filter((room) => path.startsWith(`${room}/`))
    .toSorted((one, other) => other.length - one.length)[0];

const wordIn = (pattern: RegExp, among: Source[]) =>
  among
    .filter(({ path }) => path !== 'test/structure.test.ts')
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}`] : [])),
    );

describe('imports', () => {
  test('point only in the allowed direction', () => {
    const isAllowed = ({ path, folder }: Source, target: string, isType: boolean) => {
      const room = roomOf(path)!;
      return (
        isWithin(target, [room, ...mayImport[room]!]) ||
        // A workflow imports activities only as types: their code must not be in its bundle.
        (folder === 'workflows' && isType && target === 'activities/index.ts')
      );
    };
    const wrong = product.flatMap((source) =>
      source.imports
        .filter(({ isOwn, target, isType }) => isOwn && !isAllowed(source, target, isType))
        .map(({ target }) => `${source.path} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('exactly the folders described in the README exist', () => {
    const table = readText('README.md').split('## Folders')[1]!.split('\n## ')[0]!;
    const described = [...table.matchAll(/^\| (.*?) +\|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([\w/]+)\/`/g)].map(([, folder]) => folder!),
    );
    const files = listFiles();
    expect(described.filter((folder) => !files.some((path) => path.startsWith(`${folder}/`)))).toEqual([]);
    expect([...new Set(sources.map(({ folder }) => folder))].filter((folder) => !described.includes(folder))).toEqual(
      [],
    );
  });

  test('every folder of sources has an import rule', () => {
    expect(product.filter(({ path }) => !roomOf(path)).map(({ path }) => path)).toEqual([]);
    const unused = Object.keys(mayImport).filter((room) => !product.some(({ path }) => roomOf(path) === room));
    expect(unused.filter((room) => product.every(({ path }) => !path.startsWith(`${room}/`)))).toEqual([]);
  });

  test('contracts of workflows import nothing but one another', () => {
    const contracts = sources.filter(({ path }) => path.startsWith('contracts/'));
    expect(contracts.length).toBeGreaterThan(5);
    const imported = contracts.flatMap(({ imports }) => imports.map(({ target }) => target));
    expect(imported.filter((target) => !target.startsWith('contracts/'))).toEqual([]);
  });

  test('have no cycles, including those of types', () => {
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

  test('of the API at its start exclude modules that only some calls need', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const started = new Set([byPath.get('api/main.ts')!, byPath.get('api/serve.ts')!]);
    const packages = new Set<string>();
    for (const { imports } of started) {
      const loaded = imports.filter(({ isType, isLate }) => !isType && !isLate);
      for (const { isOwn, target } of loaded) {
        if (isOwn) started.add(byPath.get(target)!);
        else packages.add(target);
      }
    }
    expect([...packages].filter((name) => loadedLate.test(name))).toEqual([]);
    expect([...packages]).toEqual(expect.arrayContaining(['koa', 'pg', 'zod']));
  });

  // A package may import `node:http`, for which Node loads its own undici, or the whole package: sources do not show it.
  test('of the API at its start load nothing of undici but its connections', async () => {
    const script = `
      import { createRequire } from 'node:module';
      await Promise.all(['serve', 'text/textRoutes'].map((name) => import('./api/' + name + '.ts')));
      const packages = Object.keys(createRequire(process.cwd() + '/').cache);
      console.log(JSON.stringify([...process.moduleLoadList, ...packages].filter((name) => name.includes('undici/'))));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    const loaded = JSON.parse(stdout) as string[];
    expect(loaded).toEqual(expect.arrayContaining([expect.stringContaining('undici/lib/dispatcher/pool.js')]));
    expect(loaded.filter((name) => /internal\/deps\/undici|lib\/(web|mock|cache|interceptor)\//.test(name))).toEqual(
      [],
    );
  });

  test('use a package only in its own folder', () => {
    const wrong = product.flatMap(({ path, imports }) =>
      imports
        .filter(({ isOwn, isType, target }) => !isOwn && !isType && homes[target] && !isWithin(path, homes[target]))
        .map(({ target }) => `${path} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('use no package that is not in package.json', () => {
    const { dependencies, devDependencies } = manifest();
    const { dependencies: ofEngines } = manifest('engines/package.json');
    const client = manifest('clients/typescript/package.json');
    // Its tests import it by its name.
    const ofClient = { ...client.dependencies, ...client.devDependencies, ledgerline: client };
    const wrong = sources
      .filter(({ path, folder }) => path !== 'test/support/sources.test.ts' && folder !== 'console')
      .flatMap(({ path, folder, imports }) =>
        imports
          .filter(({ isOwn, target, isType }) => {
            const mayUseTools = isType || folder === 'test' || path.startsWith('ops/bench/');
            if (isOwn || target in dependencies || (folder === 'engines' && target in ofEngines)) return false;
            if (path.startsWith('clients/typescript/') && target in ofClient) return false;
            return !(mayUseTools && target in devDependencies);
          })
          .map(({ target }) => `${path} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe('one place for each thing', () => {
  test('only config.ts reads the environment', () => {
    // A browser has no environment: in the pages the words are part of an example.
    const mayName = (path: string) => path.endsWith('/config.ts') || path.startsWith('console/src/');
    const readers = product.filter(({ path, text }) => !mayName(path) && /process\.env\b/.test(text));
    expect(readers.map(({ path }) => path)).toEqual(readsEnvironment);
  });

  test('only the ledger and its migrations write balances', () => {
    // The benchmark fills separate databases.
    const isLedger = (path: string) => /^(db\/(ledger\/|migrations\/)|ops\/bench\/growth\/)/.test(path);
    const others = product.filter(({ path }) => !isLedger(path));
    const writes =
      /\b(update\s+(accounts|ledger_legs|holds|key_days|requests)|insert\s+into\s+(ledger_legs|holds|key_days|requests)|delete\s+from\s+(accounts|ledger_legs|holds|key_days|requests))\b/i;
    expect(wordIn(writes, others)).toEqual([]);
    // Read-only functions may be called anywhere.
    expect(
      wordIn(
        /\bledger_(?!room\b|project_room\b|idle\b|dead\b|house\b|now\b|(?:link|chain|seal|leg)\b|entries\b)\w+\(/,
        others,
      ),
    ).toEqual([]);
  });

  test('only lockWorkspace locks workspaces', () => {
    const locks = [
      /\bWorkspace\b[^;]*\blockMode:/,
      /\b(from|join)\s+workspaces\b[^;`]*\bfor\s+(no\s+key\s+|key\s+)?(update|share)\b/i,
    ];
    const locking = product.filter(({ text }) => locks.some((pattern) => pattern.test(text)));
    expect(locking.map(({ path }) => path)).toEqual(['db/workspaces/lockWorkspace.ts']);
  });

  test("the type of a route's input comes from its guards, not from a cast", () => {
    const casting = product.filter(
      ({ folder, text }) => folder === 'api' && /\bstate\.input\b( \?\? \{\})?\)? as\b/.test(text),
    );
    expect(casting.map(({ path }) => path)).toEqual([]);
  });

  test('the API holds no SQL', () => {
    const asking = product.filter(({ folder, text }) => folder === 'api' && /\.query\(|\bsql`|\.execute\(/.test(text));
    expect(asking.map(({ path }) => path)).toEqual([]);
  });

  // The compiler checks that a call is paid for: providers require a `Held`.
  test('money is marked as held in two places, and providers are opened in one', () => {
    const marking = product.filter(({ text }) => /\bas\b[^;\n]*\bHeld\b/.test(text));
    expect(marking.map(({ path }) => path)).toEqual(['activities/run/spending.ts', 'calls/reserve.ts']);
    const opening = product.filter(({ text }) => text.includes('createOpenAiProvider('));
    expect(opening.map(({ path }) => path)).toEqual(['providers/openai.ts', 'providers/textProviders.ts']);
  });

  test('no context of a request is made by hand', () => {
    const forged = /\bas unknown as Context\b|\bObject\.(create|setPrototypeOf)\(ctx\b|\}\s*as Context\b/;
    expect(wordIn(forged, product)).toEqual([]);
  });

  test('a paid call knows nothing of HTTP', () => {
    const http = /\bctx\b|\bContext\b|\bsetHeader\(|\b(Server|Incoming)(Response|Message)\b|['"]node:http/;
    expect(
      wordIn(
        http,
        product.filter(({ folder }) => folder === 'calls'),
      ),
    ).toEqual([]);
  });

  test('servers write only to their log', () => {
    const quiet = ['api', 'calls', 'orders', 'workflows', 'activities', 'worker', 'providers', 'db'];
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

  test('no file has more than 300 lines, except listed ones', () => {
    const long = sources.filter((source) => linesOf(source) > 300);
    expect(Object.fromEntries(long.map((source) => [source.path, linesOf(source)]))).toEqual(longFiles);
  });

  test('no function has more than 70 lines of its own, except listed ones', () => {
    const long = product.flatMap(({ path, text }) =>
      functionsOf(text, path)
        .filter(({ ownLines }) => ownLines > 70)
        .map(({ name, ownLines }) => [`${path} ${name}`, ownLines]),
    );
    expect(Object.fromEntries(long)).toEqual(longFunctions);
  });

  test('no test has a name over 105 characters', () => {
    const name = /^\s*(?:test|describe|testWhen|describeWhen)\b[^'"`]*(['"`])((?:(?!\1).){106,})\1, /;
    expect(wordIn(name, sources)).toEqual([]);
  });

  test('functions are found', () => {
    expect(product.flatMap(({ text, path }) => functionsOf(text, path)).length).toBeGreaterThan(product.length);
  });
});

describe('unfinished work', () => {
  test('no test is exclusive, or skipped without what it needs', () => {
    const words = /\b(test|describe|it)\.(only|skip|failing)\b|\b(fdescribe|fit|xit|xdescribe|xtest)\(|\btest\.todo\(/;
    expect(wordIn(words, sources).filter((place) => !place.startsWith('test/support/needs.ts:'))).toEqual([]);
  });

  test('no check is disabled and nothing is marked as to do', () => {
    expect(
      wordIn(/(eslint|oxlint)-disable|@ts-(ignore|expect-error|nocheck)|\b(TODO|FIXME|XXX)\b|\bdebugger;/, sources),
    ).toEqual([]);
  });

  test('no file contains paths of a machine', () => {
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

function manifest(path = 'package.json') {
  return JSON.parse(readText(path)) as Record<
    'dependencies' | 'devDependencies' | 'allowScripts',
    Record<string, string>
  >;
}
