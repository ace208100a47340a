import { expect, test } from '@jest/globals';
import { listedPackages } from '../../../ops/deploy/licences.mjs';
import { bindingPackages } from '../../../ops/deploy/image/requireFreeLicences.mjs';
import { billOfMaterials } from '../../../ops/deploy/sbom.mjs';
import { readText } from '../../support/sources.ts';

test('THIRD_PARTY.md lists every package with its licence: `npm run licences` writes it', () => {
  expect(readText('THIRD_PARTY.md')).toBe(listedPackages());
});

test('every package names a licence, and the one with FFmpeg is explained', () => {
  expect(listedPackages()).not.toContain('not named');
  expect(readText('THIRD_PARTY.md')).toContain('--enable-gpl --enable-version3');
  expect(readText('THIRD_PARTY.md')).toContain('MIT AND GPL-3.0-or-later AND FDK-AAC');
});

test('an image with FFmpeg may not be passed on: its packages say so, and no others do', () => {
  const { components } = billOfMaterials();
  const binding = bindingPackages({ components });
  expect(binding.map(({ name }) => name).every((name) => name.startsWith('@seydx/node-av-'))).toBe(true);
  expect(new Set(binding.map(({ licence }) => licence))).toEqual(new Set(['MIT AND GPL-3.0-or-later AND FDK-AAC']));
  expect(binding.map(({ name }) => name)).toContain('@seydx/node-av-linux-x64');
});

test.each([
  ['MIT', 0],
  ['(MIT OR GPL-3.0-or-later)', 0],
  ['LGPL-2.1-or-later', 0],
  ['GPL-3.0-or-later', 1],
  ['AGPL-3.0-only', 1],
  ['not named', 1],
])('a package under %s is binding: %i', (expression, count) => {
  const components = [{ name: 'one', version: '1.0.0', licenses: [{ expression }] }];
  expect(bindingPackages({ components })).toHaveLength(count);
});

test('the bill of materials names every direct dependency with its version, licence and checksum', () => {
  const dependencies = ['package.json', 'engines/package.json'].map(
    (path) => (JSON.parse(readText(path)) as { dependencies: Record<string, string> }).dependencies,
  );
  const { bomFormat, components } = billOfMaterials();
  expect(bomFormat).toBe('CycloneDX');
  const byPurl = new Map(components.map((component) => [decodeURIComponent(component.purl), component]));
  for (const [name, version] of dependencies.flatMap((one) => Object.entries(one))) {
    expect(byPurl.get(`pkg:npm/${name}@${version}`)).toMatchObject({
      licenses: [{ expression: expect.stringMatching(/\w/) }],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
  }
  // The model's engine has TypeScript as its peer.
  expect([...byPurl.keys()].filter((purl) => /npm\/(jest|typescript|prettier)@/.test(purl))).toHaveLength(1);
});
