import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Person } from '../../../db/workspaces/secondPerson.ts';
import { readStatement } from '../../../db/publishing/statement.ts';
import { newId } from '../../../db/ids.ts';
import { readInvariants } from '../../../db/invariants/invariants.ts';
import type { Reversal } from '../../../db/payments/facts.ts';
import { applyFact, createTopup } from '../../../db/payments/topups.ts';
import { endPayout, readPayoutWorkspaces, requestPayout } from '../../../db/payments/payouts.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { ownDatabaseClock } from '../../support/ownClock.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';

const database = await makeDatabase();
const clock = await ownDatabaseClock(database.url);
const db = await openTestDatabase({ url: database.url });
beforeEach(() => clock.set('pg_catalog.now()'));
// The worker that deletes a run's content does not run here.
afterEach(() => expectSoundLedger(db, 'what was said in a run is deleted in time, and whole'));
afterAll(async () => {
  await db.close();
  await clock.end();
  await database.drop();
});

type Account = Awaited<ReturnType<typeof makeAccount>>;
const USD = 1_000_000_000n;
const later = (days: number) => clock.set(`pg_catalog.now() + interval '${days} days'`);
const personOf = (personId: string): Person => ({
  personId,
  isKnown: true,
  name: personId,
  keyId: null,
  requestId: 'req_1',
});

const pay = (
  { workspaceId }: Account,
  destination: 'balance' | 'transfer' = 'transfer',
  amountNanos: bigint | null = null,
) => {
  const order = { id: newId('po'), amountNanos, destination, by: personOf('ada'), matureDays: 14 };
  return requestPayout(db.write(workspaceId), order);
};
const send = (id: string) =>
  endPayout(db.everywhere, id, { status: 'sent', reference: 'SEPA 1', by: personOf('olga') });

/** An account funded by a payment, and a function that reverses the payment. */
async function paidAccount(usd: bigint) {
  const account = await makeAccount(db, { creditUsd: '0' });
  const { workspaceId } = account;
  const amountNanos = usd * USD;
  const order = { workspaceId, origin: 'checkout', amountNanos, livemode: false, requestId: null } as const;
  const topupId = await createTopup(db.pool, order);
  const paymentIntent = `pi_${topupId}`;
  const common = { topupId, workspaceId, sessionId: null, paymentIntent, currency: 'usd', livemode: false };
  await applyFact(db, { type: 'paid', ...common, amountNanos });
  const reverse = async (kind: 'refund' | 'dispute', state: Reversal['state'], stage: number) => {
    const toldAt = new Date();
    const reversal = { id: `${kind}_${topupId}`, kind, paymentIntent, amountNanos, currency: 'usd', state, stage };
    await applyFact(db, { type: 'reversal', ...reversal, toldAt });
  };
  return { ...account, reverse };
}

async function earn(publisher: Account, caller: Account, subtotalNanos: bigint): Promise<void> {
  const run = await makeRun(db, caller, {
    maxCostNanos: subtotalNanos,
    publisherWorkspaceId: publisher.workspaceId,
  });
  await finishTestRun(db, run, { subtotalNanos });
}

test('earnings can be paid out when they are fourteen days old, the younger ones later', async () => {
  const [publisher, caller] = [await makeAccount(db, { creditUsd: '0' }), await paidAccount(80n)];
  await earn(publisher, caller, 50n * USD);
  await later(13);
  expect([await pay(publisher), await pay(publisher, 'balance', 1n)]).toEqual([undefined, undefined]);
  await earn(publisher, caller, 20n * USD);
  const statement = () =>
    readStatement(db.write(publisher.workspaceId), '2000-01', { matureDays: 14 }).then(({ payable, maturingNanos }) => [
      payable.toBalanceNanos,
      payable.asTransferNanos,
      maturingNanos,
    ]);
  expect(await statement()).toEqual([0n, 0n, 70n * USD]);
  await later(15);
  expect(await statement()).toEqual([50n * USD, 50n * USD, 20n * USD]);
  expect(await pay(publisher, 'transfer', 50n * USD + 1n)).toBeUndefined();
  expect(await pay(publisher, 'balance')).toMatchObject({ amountNanos: 50n * USD });
  expect(await pay(publisher)).toBeUndefined();
  await later(28);
  expect(await pay(publisher)).toMatchObject({ amountNanos: 20n * USD });
});

test('a refunded payment leaves nothing to transfer, from own runs or from those of others', async () => {
  const [publisher, caller, other] = [await paidAccount(80n), await paidAccount(80n), await paidAccount(80n)];
  await earn(publisher, publisher, 72n * USD);
  await caller.reverse('refund', 'taken', 1);
  await publisher.reverse('refund', 'taken', 1);
  await later(20);
  expect(await balanceOf(db, publisher.workspaceId)).toBe(-72n * USD);
  expect(await pay(publisher)).toBeUndefined();
  // Mature money from another caller is netted against the negative balance first.
  await earn(publisher, other, 80n * USD);
  await later(40);
  expect(await pay(publisher, 'transfer', 80n * USD + 1n)).toBeUndefined();
  expect(await pay(publisher)).toMatchObject({ amountNanos: 80n * USD });
  expect(await pay(publisher)).toBeUndefined();
  // A payout to the own balance is allowed: that is the netting.
  expect(await pay(publisher, 'balance')).toMatchObject({ amountNanos: 72n * USD });
  expect(await balanceOf(db, publisher.workspaceId)).toBe(0n);
});

test('earnings wait while their caller is short, or its payment is questioned', async () => {
  const publisher = await makeAccount(db, { creditUsd: '0' });
  const [refunded, questioned, good] = [await paidAccount(80n), await paidAccount(80n), await paidAccount(80n)];
  await earn(publisher, refunded, 70n * USD);
  await earn(publisher, questioned, 60n * USD);
  await earn(publisher, good, 5n * USD);
  await later(20);
  await refunded.reverse('refund', 'taken', 1);
  await questioned.reverse('dispute', 'none', 0);
  expect(await pay(publisher, 'balance')).toMatchObject({ amountNanos: 5n * USD });
  // The inquiry was closed without a dispute; the refund failed.
  await questioned.reverse('dispute', 'none', 1);
  expect(await pay(publisher)).toMatchObject({ amountNanos: 60n * USD });
  await refunded.reverse('refund', 'returned', 2);
  expect(await pay(publisher)).toMatchObject({ amountNanos: 70n * USD });
});

test('a transfer whose payments are taken back before it is sent cannot be sent', async () => {
  const [publisher, caller] = [await makeAccount(db, { creditUsd: '0' }), await paidAccount(80n)];
  await earn(publisher, caller, 72n * USD);
  await later(15);
  const requested = (await pay(publisher))!;
  expect(requested.earnedUntil).toEqual(requested.earnedFrom);
  expect(requested.earnedUntil!.getTime()).toBeLessThan(requested.maturedBefore!.getTime());
  expect(requested.sources).toEqual([{ workspaceId: caller.workspaceId, nanos: String(72n * USD) }]);
  await caller.reverse('dispute', 'taken', 1);
  expect(await send(requested.id)).toBe('at_risk');
  const found = await readPayoutWorkspaces(db.everywhere, [requested]);
  expect(new Map([...found].map(([id, { balanceNanos }]) => [id, balanceNanos]))).toEqual(
    new Map([
      [publisher.workspaceId, 0n],
      [caller.workspaceId, -72n * USD],
    ]),
  );
  await caller.reverse('dispute', 'returned', 2);
  expect(await send(requested.id)).toMatchObject({ status: 'sent' });
});

test("a payout's sources are the oldest earnings that were not paid out, by caller", async () => {
  const publisher = await makeAccount(db, { creditUsd: '0' });
  const [first, second] = [await paidAccount(80n), await paidAccount(80n)];
  await earn(publisher, first, 10n);
  await earn(publisher, second, 20n);
  await earn(publisher, first, 30n);
  await later(15);
  const sourcesOf = async (nanos: bigint) => (await pay(publisher, 'balance', nanos))!.sources;
  const [one, two] = [first.workspaceId, second.workspaceId];
  expect(await sourcesOf(15n)).toEqual([
    { workspaceId: one, nanos: '10' },
    { workspaceId: two, nanos: '5' },
  ]);
  expect(await sourcesOf(40n)).toEqual([
    { workspaceId: one, nanos: '25' },
    { workspaceId: two, nanos: '15' },
  ]);
});

test.each([
  ['a payout takes only earnings that had matured', `now() - interval '1 day'`, 'none'],
  ['a transfer leaves what a negative balance lacks', 'now()', 'taken'],
] as const)('the check finds it when not: %s', async (rule, maturedBefore, state) => {
  const publisher = await paidAccount(80n);
  await earn(publisher, publisher, 72n * USD);
  await publisher.reverse('refund', state, 1);
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    await client.query(`select ledger_pay_out('po_1', $1, 'transfer', 10)`, [publisher.workspaceId]);
    await client.query(
      `insert into payouts (id, workspace_id, amount_nanos, destination, status, requested_by, requester, matured_before)
       values ('po_1', $1, 10, 'transfer', 'requested', 'ada', 'ada', ${maturedBefore})`,
      [publisher.workspaceId],
    );
    expect((await readInvariants(client)).violations.map((found) => found.rule)).toEqual([rule]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
