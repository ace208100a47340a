import { expect, test } from '@jest/globals';
import { readSources } from '../support/sources.ts';

const sources = readSources().filter(({ folder }) => folder === 'workflows');

// Temporal's UI lists activities by their summary: without one, operators read only a name.
const proxies = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/const (?:\{([^}]+)\}|(\w+)) =\s+proxy(?:Local)?Activities<\w+>\(([^]*?)\);\n/g)].map(
    ([, names, whole, options]) => ({
      path,
      text,
      // The last word is the name here: `signDays: signDueDays`.
      names: (names ?? whole!).split(',').flatMap((name) => name.trim().split(': ').at(-1) || []),
      isNamed: options!.includes('summary:'),
    }),
  ),
);

test('every proxy of activities is found', () => {
  const count = sources.reduce((sum, { text }) => sum + (text.match(/proxy(Local)?Activities</g) ?? []).length, 0);
  expect(proxies).toHaveLength(count);
  expect(count).toBeGreaterThan(10);
});

test('every activity has a summary, of its proxy or of the call', () => {
  const bare = proxies
    .filter(({ isNamed }) => !isNamed)
    .flatMap(({ path, text, names }) =>
      names.flatMap((name) => {
        const called = new RegExp(String.raw`\b${name}\b(?:\(|\.executeWithOptions\(\{ ([^[]*) \}, \[)`, 'g');
        const calls = [...text.matchAll(called)];
        return calls.length > 0 && calls.every(([, options]) => options?.includes('summary:'))
          ? []
          : [`${path} ${name}`];
      }),
    );
  expect(bare).toEqual([]);
});

test('every child workflow has a summary', () => {
  const children = sources.flatMap(({ text }) => [...text.matchAll(/executeChild<[^>]+>\(([^;]*)\);/g)]);
  expect(children.length).toBeGreaterThan(0);
  expect(children.filter(([call]) => !call.includes('staticSummary:'))).toEqual([]);
});
