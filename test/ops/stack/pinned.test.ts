import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../support/folder.ts';

const projectDir = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(projectDir, path), 'utf8');

/** The images that a file names, each with the rest of its reference. */
const imagesOf = (path: string) =>
  [...read(path).matchAll(/^(?: *image:|FROM) (\S+:\S+)/gm)].map(([, image]) => image!);

// No second source has confirmed their digests.
const WITHOUT_DIGEST = ['temporalio/admin-tools', 'temporalio/server'];

test('every image of compose and of the Dockerfile has an exact version and a digest', () => {
  const images = [...imagesOf('docker-compose.yml'), ...imagesOf('Dockerfile')];
  expect(images).toHaveLength(12);
  const pinned = images.filter((image) => /@sha256:[0-9a-f]{64}$/.test(image));
  const names = images.filter((image) => !pinned.includes(image)).map((image) => image.split(':')[0]!);
  expect([...new Set(names)].toSorted()).toEqual(WITHOUT_DIGEST);
  const version = /^[\w/-]+:(\d+\.\d+\.?\d*(-[\w.-]+)?|bookworm-\d{8}-slim)$/;
  for (const image of images) expect(image.split('@')[0]).toMatch(version);
  expect(new Map(pinned.map((image) => image.split('@') as [string, string])).size).toBe(new Set(pinned).size);
});

test('the chart names no image of others', () => {
  for (const file of ['api.yaml', 'model.yaml', 'worker.yaml', '_job.tpl']) {
    const lines = read(`ops/deploy/helm/ledgerline/templates/${file}`).matchAll(/^ *image: (.*)$/gm);
    expect([...lines].map(([, image]) => image)).toEqual(['{{ include "ledgerline.image" $part }}']);
  }
});

test('every action of the check has its commit', () => {
  const actions = [...read('.github/workflows/ci.yml').matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
  expect(actions).toHaveLength(12);
  for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test.each(['docker-compose.yml', 'Dockerfile'])(
  'the script that pins images renews each digest of %s',
  async (file) => {
    const folder = await makeFolder();
    const digest = `sha256:${'a'.repeat(64)}`;
    try {
      // Like buildx: a format that begins with the manifest prints all of it. An image is requested only by its version.
      const docker = `#!/bin/sh
case "$*" in *@*) exit 1;; *'{{.Manifest'*) printf 'Name: x\\nDigest: ${digest}\\n';; *) printf ${digest};; esac
`;
      writeFileSync(join(folder.path, 'docker'), docker, { mode: 0o755 });
      const env = { PATH: `${folder.path}:${process.env.PATH}` };
      const text = execFileSync('sh', ['ops/deploy/compose/pin-images.sh', file], {
        cwd: projectDir,
        env,
        encoding: 'utf8',
      });
      const images = [...text.matchAll(/^(?: *image:|FROM) (\S+:\S+)/gm)].map(([, image]) => image!);
      expect(images).toEqual(imagesOf(file).map((image) => `${image.split('@')[0]}@${digest}`));
      expect(text.replaceAll(`@${digest}`, '')).toBe(read(file).replaceAll(/@sha256:[0-9a-f]{64}/g, ''));
    } finally {
      await folder.remove();
    }
  },
);
