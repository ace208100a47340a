import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { listFiles, readText } from '../support/sources.ts';

const root = join(import.meta.dirname, '../..');
const README_LINES_MAX = 200;
const files = listFiles();
const pages = files.filter((path) => path.endsWith('.md'));
const folders = new Set(files.filter((path) => path.includes('/')).map((path) => path.split('/')[0]!));

test.each(pages)('every link to a file or a heading resolves: %s', (path) => {
  const broken = linksOf(readText(path)).filter((link) => !resolves(path, link));
  expect(broken).toEqual([]);
});

test(`the README has at most ${README_LINES_MAX} lines`, () => {
  expect(readText('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
});

test('every page below docs/ can be reached by links from the README', () => {
  const reached = new Set(['README.md']);
  for (const path of reached)
    for (const link of linksOf(readText(path))) {
      const target = normalize(join(dirname(path), link.split('#')[0]!));
      if (target.endsWith('.md') && existsSync(join(root, target))) reached.add(target);
    }
  const isPage = (path: string) => path.startsWith('docs/') && !path.startsWith('docs/examples/');
  expect(pages.filter((path) => isPage(path) && !reached.has(path))).toEqual([]);
});

test.each(pages.filter((path) => path !== 'CHANGELOG.md'))(
  'every path of the repository that is named exists: %s',
  (path) => {
    const named = [...readText(path).matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, name]) => name!);
    const ours = named.filter((name) => folders.has(name.split('/')[0]!) && name !== 'console/dist');
    expect(
      ours.filter((name) => !existsSync(join(root, name)) && !existsSync(join(root, dirname(path), name))),
    ).toEqual([]);
  },
);

test('every name that a page places in a file is there', () => {
  const places = pages.flatMap((path) =>
    [...readText(path).matchAll(/`(\w+)`\s+(?:\(|in\s|of\s)`((?:[\w.-]+\/)+[\w.-]+\.\w+)`/g)].map(([, name, file]) => ({
      name: name!,
      file: existsSync(join(root, file!)) ? file! : join(dirname(path), file!),
    })),
  );
  expect(places.length).toBeGreaterThan(10);
  expect(places.filter(({ name, file }) => !new RegExp(`\\b${name}\\b`).test(readText(file)))).toEqual([]);
});

test('every drill that a page names is there', () => {
  const drills = files.filter((path) => path.endsWith('.drill.test.ts'));
  const inCommands = pages.flatMap((path) => [...readText(path).matchAll(/test:long -- ([\w./]+)/g)]);
  const inTables = [...readText('docs/operate/drills.md').matchAll(/^\| `([\w./]+)`/gm)];
  const named = [...inCommands, ...inTables].map(([, name]) => name!).filter((name) => name !== 'NAME');
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !drills.some((path) => path.includes(name)))).toEqual([]);
});

// Commands of other programs.
const OF_OTHERS = /^(docker|kubectl|slowlog) /;

// An operator searches the logs for these words.
test('every line of a log and every command that a runbook quotes is a text of the product', () => {
  const runbooks = pages.filter((path) => path.startsWith('docs/operate/runbooks/'));
  const quotes = runbooks.flatMap((path) => [...readText(path).matchAll(/`([a-z]+(?: [a-z]+)+)`/g)]);
  const quoted = new Set(quotes.map(([, text]) => text!).filter((text) => !OF_OTHERS.test(text)));
  expect(quoted.size).toBeGreaterThan(8);
  const sources = files.filter((path) => /\.(ts|sql)$/.test(path) && !path.startsWith('test/')).map(readText);
  expect([...quoted].filter((text) => !sources.some((source) => source.includes(text)))).toEqual([]);
});

test('the page of the workflows has each of them', () => {
  const names = [...readText('workflows/index.ts').matchAll(/export \{ ([^}]+) \}/g)].flatMap(([, list]) =>
    list!.split(', '),
  );
  expect(names.length).toBeGreaterThan(12);
  const page = readText('docs/operate/temporal.md');
  // Only earlier releases started a `sweep`.
  expect(names.filter((name) => name !== 'sweep' && !page.includes(`\`${name}\``))).toEqual([]);
});

/** Targets of a page's links and pictures, without external addresses. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(([^)\s]+)\)/g)];
  const defined = [...prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return [...inline, ...defined].map(([, target]) => target!).filter((target) => !/^[a-z]+:/.test(target));
}

function resolves(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : normalize(join(dirname(from), file));
  // Pages of an installation, for example `/docs`.
  if (file.startsWith('/')) return true;
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(readText(target)).includes(anchor);
}

/** The anchors of a page's headings, as code hosts make them. */
function anchorsOf(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
