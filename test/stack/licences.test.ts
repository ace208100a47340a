import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { listedPackages } from '../../deploy/licences.mjs';
import { readText } from '../support/sources.ts';

test('THIRD_PARTY.md lists every package with its licence: `npm run licences` writes it', () => {
  expect(readText('THIRD_PARTY.md')).toBe(listedPackages());
});

test('every package names a licence, and the one with FFmpeg is explained', () => {
  expect(listedPackages()).not.toContain('not named');
  expect(readText('THIRD_PARTY.md')).toContain('--enable-gpl --enable-version3');
});

test('the bill of materials names every direct dependency with its version', () => {
  const { dependencies, scripts } = JSON.parse(readText('package.json')) as Record<
    'dependencies' | 'scripts',
    Record<string, string>
  >;
  const [npm, ...args] = scripts.sbom!.split(' ');
  const cwd = join(import.meta.dirname, '..', '..');
  const text = execFileSync(npm!, args, { cwd, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  const { bomFormat, components } = JSON.parse(text) as { bomFormat: string; components: { purl: string }[] };
  expect(bomFormat).toBe('CycloneDX');
  const purls = components.map(({ purl }) => decodeURIComponent(purl));
  for (const [name, version] of Object.entries(dependencies)) expect(purls).toContain(`pkg:npm/${name}@${version}`);
});
