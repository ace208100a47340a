import { expect, test } from '@jest/globals';
import { readText } from '../../support/sources.ts';

const versionIn = (path: string) => (JSON.parse(readText(path)) as { version: string }).version;

test('the packages for customers have the version of the service, which the guides name', () => {
  expect(versionIn('clients/typescript/package.json')).toBe(versionIn('package.json'));
  expect(readText('clients/python/pyproject.toml')).toContain(`\nversion = "${versionIn('package.json')}"\n`);
});
