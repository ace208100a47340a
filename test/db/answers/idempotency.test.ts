import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  claimKey,
  dropClaim,
  releaseClaim,
  renewClaim,
  storeAnswer,
  type ClaimedUse,
} from '../../../db/answers/idempotency.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
beforeEach(() => db.pool.query('delete from idempotency_keys'));
afterAll(() => db.close());

const use = { workspaceId: 'ws_1', route: 'POST /v1/runs', key: 'order-4711', fingerprint: Buffer.from('same') };

const claim = (processId: string) => claimKey(db.pool, use, { newResourceId: `run_of_${processId}`, processId });

async function claimed(processId: string): Promise<ClaimedUse> {
  const found = await claim(processId);
  if (found.outcome !== 'claimed') throw new Error(found.outcome);
  return found.use;
}

/** As after a pause of its process beyond the claim. */
const expire = () => db.pool.query(`update idempotency_keys set running_until = now() - interval '1 second'`);

const answer = { status: 201, headers: {}, body: '{}' };

describe('a request that was paused until another one took its claim over', () => {
  const ends: [string, (own: ClaimedUse) => Promise<void>][] = [
    ['is released', (own) => releaseClaim(db.pool, own)],
    ['created nothing', (own) => dropClaim(db.pool, own)],
    ['has its answer', (own) => storeAnswer(db.pool, own, answer)],
    ['is renewed and released', (own) => renewClaim(db.pool, own, 'first').then(() => releaseClaim(db.pool, own))],
  ];

  test.each(ends)('leaves the claim of that one when it %s', async (_, end) => {
    const first = await claimed('first');
    await expire();
    await claimed('second');
    await end(first);
    expect(await claim('third')).toMatchObject({ outcome: 'running' });
  });
});

test('a claim is renewed under the next id of its process, and then ends under that', async () => {
  const own = await claimed('first');
  await renewClaim(db.pool, own, 'first after a pause');
  await storeAnswer(db.pool, own, answer);
  expect(await claim('second')).toEqual({ outcome: 'answered', answer });
});
