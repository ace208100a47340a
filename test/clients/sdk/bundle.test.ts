import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';

const folder = join(import.meta.dirname, '../../../clients/typescript');
const KIB = 1024;

test('all of the package is at most 25 KB in a browser, compressed, and asks for nothing of Node', () => {
  const options = ['--bundle', '--minify', '--format=esm', '--platform=browser', '--log-level=error'];
  // A module that a browser lacks would be an error here.
  const bundle = execFileSync(join(folder, 'node_modules/.bin/esbuild'), ['src/index.ts', ...options], { cwd: folder });
  expect(bundle.toString()).toContain('/v1/runs');
  expect(gzipSync(bundle).length).toBeLessThanOrEqual(25 * KIB);
});
