import { describe, expect, test } from '@jest/globals';
import { VARIABLES } from '../../base/environment.ts';
import { BILLED_UNITS, MODEL_KINDS, OPTIONAL_UNITS } from '../../db/catalog/catalogFile.ts';
import { referencePages } from '../support/referencePages.ts';
import { readText } from '../support/sources.ts';

const pages = await referencePages();

describe('the generated reference', () => {
  test.each(Object.keys(pages))('is up to date: %s (`npm run docs` writes it)', (path) => {
    expect(readText(path)).toBe(pages[path]);
  });

  test('has a row for every variable', () => {
    const rows = [...readText('docs/reference/configuration.md').matchAll(/^\| `([A-Z0-9_]+)` \|/gm)];
    expect(rows.map(([, name]) => name!).toSorted()).toEqual(Object.keys(VARIABLES).toSorted());
  });

  test('has the routes of every family', () => {
    const routes = readText('docs/reference/routes.md');
    for (const route of [
      'POST /v1/chat/completions',
      'POST /voiceapi/v1/text-to-speech/{voice_id}',
      'POST /v1/runs',
      'GET /platform/v1/usage',
      'wss /v1/realtime',
    ])
      expect(routes).toContain(`\`${route}\``);
  });
});

test.each(MODEL_KINDS)('docs/operate/models.md has the units of the kind %s', (kind) => {
  const row = readText('docs/operate/models.md')
    .split('\n')
    .find((line) => line.startsWith(`| \`${kind}\` `));
  const units = [...(row ?? '').matchAll(/`(\w+)`/g)].slice(1).map(([, unit]) => unit);
  expect(units).toEqual([...BILLED_UNITS[kind], ...(OPTIONAL_UNITS[kind] ?? [])]);
});
