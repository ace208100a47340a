import { expect, test } from '@jest/globals';
import { listedPackages } from '../../../ops/deploy/licences.mjs';
import { billOfMaterials } from '../../../ops/deploy/sbom.mjs';
import { readText } from '../../support/sources.ts';

test('THIRD_PARTY.md lists every package with its licence: `npm run licences` writes it', () => {
  expect(readText('THIRD_PARTY.md')).toBe(listedPackages());
});

test('every package names a licence, and the one with FFmpeg is explained', () => {
  expect(listedPackages()).not.toContain('not named');
  expect(readText('THIRD_PARTY.md')).toContain('--enable-gpl --enable-version3');
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
