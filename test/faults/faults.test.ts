import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defects } from './defects.ts';
import { faults } from './faults.ts';
import { editedText } from './plantDefects.ts';
import { resultsPage } from './resultsPage.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

test('each fault has a runbook, and tests that exist', () => {
  const headings = textOf('docs/operate/runbooks/faults.md').match(/(?<=^## )F\d+/gm);
  expect(faults.map(({ id }) => id)).toEqual(headings);
  expect(faults.flatMap(({ tests }) => tests).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each(defects)('a planted defect can be planted: $name', ({ edits, tests }) => {
  const texts = new Map<string, string>();
  for (const edit of edits) texts.set(edit.file, editedText(texts.get(edit.file) ?? textOf(edit.file), edit));
  for (const [file, text] of texts) expect(text).not.toBe(textOf(file));
  expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the page of results says what was not survived and what was not found', () => {
  const [fault, defect] = [faults[0]!, defects[0]!];
  const run = {
    passed: 3,
    skipped: 1,
    seconds: 7,
    failed: ['a bill is missing'],
    messages: ['Expected: 1'],
    broken: [],
  };
  const place = { commit: 'abc', date: '2026-01-02T03:04:05Z', seed: 5 };
  const page = resultsPage(
    [{ ...place, fault, run }],
    [{ ...place, defect, isFound: false, by: 'no test failed', seconds: 1 }],
  );
  expect(page).toContain('**0 of 1 faults survived, 0 of 1 planted defects found.**');
  expect(page).toContain(`| F1 | ${fault.name} | ${fault.holds.join(' ')} | 3 | 1 | 1 | 7 | abc, 2026-01-02, 5 |`);
  expect(page).toContain(`| ${defect.name} | I2 | **not found**: no test failed | abc, 2026-01-02, 5 |`);
});
