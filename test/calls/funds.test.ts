import { afterAll, expect, test } from '@jest/globals';
import { fundsError } from '../../calls/funds.ts';
import { makeAccount } from '../support/account.ts';
import { setTestDatabase } from '../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

test('a refused call blames another one that runs with a part of its money only while there is one', async () => {
  const { keyId } = await makeAccount(db, { creditUsd: '1' });
  // The money has become free since the refusal.
  const { message } = await fundsError(db.pool, keyId, { reason: 'held', needNanos: 1n });
  expect(message).toBe('Running requests hold what is left of the balance. Try again when they have ended.');
});
