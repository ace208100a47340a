import { expect, test } from '@jest/globals';
import { readSources } from './support/sources.ts';

const sources = readSources().map((source) => ({ ...source, words: source.text.match(/\w+/g)! }));
const exported = /^export (?:async )?(?:(type|interface)|function\*?|const|let|class) (\w+)/gm;
// Used by customers, or loaded by name.
const usedElsewhere =
  /^clients\/typescript\/(src|test)\/|^db\/migrations\/|\.d\.ts |Workflow\.ts |^workflows\/traces|^test\/workflows\/shortWaits/;

/** The files that import each file: the words in them, and whether they take everything of a file. */
const importers = Map.groupBy(
  sources.flatMap(({ text, words, imports }) => {
    const names = { words: new Set<string>(words), isWhole: /^(?:ex|im)port \* /m.test(text) };
    return imports.map(({ target }) => ({ target, ...names }));
  }),
  ({ target }) => target,
);

const isImported = (path: string, name: string): boolean =>
  importers.get(path)?.some(({ words, isWhole }) => isWhole || words.has(name)) ?? false;

test('no type is exported that is named nowhere else, and no value that no other file imports', () => {
  const counts = new Map<string, number>();
  for (const word of sources.flatMap(({ words }) => words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const dead = sources.flatMap(({ path, text }) =>
    [...text.matchAll(exported)]
      .filter(([, type, name]) => (type ? counts.get(name!) === 1 : !isImported(path, name!)))
      .map(([, , name]) => `${path} ${name}`),
  );
  expect(dead.filter((place) => !usedElsewhere.test(place))).toEqual([]);
});
