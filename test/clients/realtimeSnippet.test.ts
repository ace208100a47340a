import { afterAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setGuardStage } from '../support/guardStage.ts';

const stage = await setGuardStage();
afterAll(() => stage.close());

test('the guide’s program talks with a model at an address without TLS', async () => {
  const { secret } = await stage.account();
  const program = join(import.meta.dirname, '../../docs/guides/snippets/realtime.mjs');
  const env = { PATH: process.env.PATH, BASE_URL: stage.url, API_KEY: secret };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { env });
  expect(stdout.length).toBeGreaterThan(0);
  expect(stderr).toBe('');
});
