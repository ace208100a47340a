import { expect, test } from '@jest/globals';
import { createPurses } from '../../../db/ledger/purses.ts';
import { makeSpender, openLedger } from '../../support/ledger.ts';

const db = await openLedger();

/** Purses of a process that counts how often its settlements are posted before their time. */
function makePurses() {
  const seen = { hurried: 0 };
  const purses = createPurses({
    pool: db.pool,
    processId: db.ledger.processId,
    announceScarcity: () => {},
    posted: async () => {},
    hurryPosting: () => void (seen.hurried += 1),
    sureOfLease: async () => {},
    endDead: async () => {},
    onError: (error) => {
      throw error;
    },
  });
  return { seen, purses };
}

const order = (nanos: bigint) => ({ wholeNanos: nanos, wantNanos: nanos, needNanos: nanos });

test('calls that find plenty do not hurry the posting of earlier ones, which hold their worst case until then', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const { seen, purses } = makePurses();
  const first = await purses.hold(spender, order(10n));
  const atFirst = seen.hurried;
  const more = [];
  for (let call = 0; call < 10; call += 1) more.push(await purses.hold(spender, order(10n)));
  expect(seen.hurried).toBe(atFirst);
  for (const held of [first, ...more]) held.end(1n);
  await purses.close();
});

test('a call that takes most of what is left hurries it, and one that finds too little does too', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const { seen, purses } = makePurses();
  const held = [await purses.hold(spender, order(10n))];
  seen.hurried = 0;
  held.push(await purses.hold(spender, order(200n)));
  expect(seen.hurried).toBe(1);
  held.push(await purses.hold(spender, order(700n)));
  expect(seen.hurried).toBeGreaterThan(1);
  for (const one of held) one.end(0n);
  await purses.close();
});
