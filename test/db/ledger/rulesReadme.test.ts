import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { entities } from '../../../db/entities/index.ts';

const folder = new URL('../../../db/ledger/sql/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
const readme = read('README.md');
const code = files.map((file) => read(file).replaceAll(/--.*$/gm, '')).join('\n');

test.each(files)('the README of the rules mentions %s', (file) => {
  const rows = readme.split('\n').filter((line) => line.startsWith('|'));
  expect(rows.filter((row) => row.split('|')[1]!.includes(`\`${file.slice(0, -'.sql'.length)}\``))).toHaveLength(1);
});

const tables = Object.values(entities)
  .filter(({ meta }) => !meta.view)
  .map(({ meta }) => meta.tableName)
  .filter((name) => new RegExp(`\\b(from|join|into|update) ${name}\\b`).test(code));

test('the rules read and write only tables of the entities', () => {
  expect(tables).toEqual(expect.arrayContaining(['processes', 'request_progress', 'settlement_batches']));
});

test.each(tables)('the README of the rules describes a row of %s', (table) => {
  expect(readme).toMatch(new RegExp(`^\\| \`${table}\` +\\| \\w`, 'm'));
});
