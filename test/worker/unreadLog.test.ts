import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { makeDatabase } from '../support/database.ts';
import { startTestTemporal } from '../support/temporal.ts';
import { makeUnreadPipe } from '../support/unreadPipe.ts';
import { until } from '../support/until.ts';

// The server may have to be obtained first.
const [temporal, database] = await Promise.all([startTestTemporal(), makeDatabase()]);
afterAll(async () => {
  await temporal.stop();
  await database.drop();
});

test('a worker whose log reader has ended shuts down cleanly', async () => {
  const pipe = await makeUnreadPipe();
  const child = spawn(process.execPath, ['worker/main.ts'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: database.url,
      PLUGIN_SECRETS_KEY: createSealingKey(),
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
    },
    stdio: ['ignore', pipe.fd, 'ignore'],
  });
  await pipe.readLine('"event":"working"');
  await pipe.fill();
  child.kill('SIGTERM');
  await until(() => child.exitCode !== null || child.signalCode !== null);
  expect(child.exitCode).toBe(0);
  await pipe.close();
});
