import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { runCommand } from '../../../../ops/stack/process/program.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

test('a database that does not answer is named by place and reason, without its password', async () => {
  const env = { ...process.env, DATABASE_URL: 'postgres://someone:hush@127.0.0.1:1/ledgerline' };
  const failure = runCommand(['db/migrate.ts'], root, env);
  await expect(failure).rejects.toThrow(
    'node db/migrate.ts failed: DATABASE_URL: the database at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1',
  );
  await expect(failure).rejects.not.toThrow('hush');
});

test('the error is found between its source line and its cause', async () => {
  const script = 'throw new RangeError("too far", { cause: new TypeError("no place") })';
  const failure = runCommand(['--input-type=module', '-e', script], root, process.env);
  await expect(failure).rejects.toThrow('node --input-type=module -e ' + script + ' failed: RangeError: too far');
});
