import { afterAll, expect, test } from '@jest/globals';
import { readInvariants } from '../../../db/invariants/invariants.ts';
import type { PaymentFact, Reversal } from '../../../db/payments/facts.ts';
import { applyFact, createTopup } from '../../../db/payments/topups.ts';
import { applyEvent } from '../../../providers/payments/applyEvent.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { countLockWaits } from '../../support/lockWaits.ts';
import { until } from '../../support/until.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const PAID_NANOS = 100n;

/** An unpaid order, and its possible later events. */
async function order() {
  const { workspaceId } = await makeAccount(db, { creditUsd: '0' });
  const common = { workspaceId, amountNanos: PAID_NANOS, livemode: false };
  const topupId = await createTopup(db.pool, { ...common, origin: 'checkout', requestId: null });
  const paymentIntent = `pi_${topupId}`;
  const paid: PaymentFact = { type: 'paid', ...common, topupId, sessionId: null, paymentIntent, currency: 'usd' };
  let toldAtMs = Date.now();
  const reversal = (kind: Reversal['kind'], amount: number, state: Reversal['state'], stage: number): PaymentFact => {
    const id = `${kind}_${topupId}${kind === 'refunded_total' ? `/${amount}` : ''}`;
    const toldAt = new Date((toldAtMs += 1_000));
    const facts = { amountNanos: BigInt(amount), state, stage, toldAt, paymentIntent, currency: 'usd' };
    return { type: 'reversal', id, kind, ...facts };
  };
  return { workspaceId, paid, reversal };
}

/** Every order of these values. */
function ordersOf<T>(values: T[]): T[][] {
  if (values.length < 2) return [values];
  return values.flatMap((first, at) => ordersOf(values.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

type Step = [kind: Reversal['kind'], amount: number, state: Reversal['state'], stage: number];
const refund = (amount: number): Step => ['refund', amount, 'taken', 1];
const total = (amount: number): Step => ['refunded_total', amount, 'taken', 0];
const failed = (amount: number): Step => ['refund', amount, 'returned', 2];
const dispute = (amount: number): Step => ['dispute', amount, 'taken', 1];
const lost = (amount: number): Step => ['dispute', amount, 'taken', 2];
const won = (amount: number): Step => ['dispute', amount, 'returned', 2];

test.each<[string, number, Step[]]>([
  ['a part refunded, a part disputed', 10, [refund(40), dispute(50), lost(50)]],
  ['a part refunded, all disputed', 0, [refund(40), dispute(100), lost(100)]],
  ['all refunded, all disputed', 0, [refund(100), total(100), dispute(100)]],
  ['all refunded, all disputed and won', 0, [refund(100), dispute(100), won(100)]],
  ['all refunded, a part disputed and lost', 0, [refund(100), dispute(60), lost(60)]],
  ['a part refunded, all disputed and won', 60, [refund(40), dispute(100), won(100)]],
  ['a failed refund, all disputed and lost', 0, [refund(100), failed(100), dispute(100), lost(100)]],
  ['a failed refund, a part disputed', 40, [refund(100), failed(100), dispute(60)]],
])('a dispute beside a refund takes no more than was paid, in any order: %s', async (_name, left, steps) => {
  const orders = ordersOf([undefined, ...steps]);
  for (const arriving of orders) {
    const { workspaceId, paid, reversal } = await order();
    // The time of each, whatever the order of arrival.
    const facts = new Map(steps.map((step) => [step, reversal(...step)]));
    for (const step of arriving) {
      await applyFact(db, step ? facts.get(step)! : paid);
      const nanos = await balanceOf(db, workspaceId);
      expect(nanos >= 0n && nanos <= PAID_NANOS).toBe(true);
    }
    expect({ arriving, left: await balanceOf(db, workspaceId) }).toEqual({ arriving, left: BigInt(left) });
  }
  await expectSoundLedger(db);
});

test('a refund that is being recorded while its payment is credited is taken from it', async () => {
  const { workspaceId, paid, reversal } = await order();
  const refunded = reversal('refund', 40, 'taken', 1);
  if (refunded.type !== 'reversal') throw new Error(refunded.type);
  const blocker = await db.pool.connect();
  try {
    // The refund has looked for its payment, and waits to be stored.
    await blocker.query('begin');
    await blocker.query(
      `insert into topup_reversals (id, payment_intent, kind, amount_nanos, state, stage, told_at) values ($1, 'pi_other', 'refund', 1, 'taken', 1, now())`,
      [refunded.id],
    );
    const refunding = applyFact(db, refunded);
    await until(async () => (await countLockWaits(db, 'transactionid')) === 1);
    let isCredited = false;
    const crediting = applyFact(db, paid).finally(() => (isCredited = true));
    await until(async () => isCredited || (await countLockWaits(db, 'advisory')) === 1);
    await blocker.query('rollback');
    expect(await Promise.all([refunding, crediting])).toEqual(['noted', 'credited']);
  } finally {
    blocker.release();
  }
  expect(await balanceOf(db, workspaceId)).toBe(60n);
  await expectSoundLedger(db);
});

test('a receipt that arrives before its payment is kept', async () => {
  const { paid } = await order();
  if (paid.type !== 'paid') throw new Error(paid.type);
  const { topupId, paymentIntent } = paid;
  const url = 'https://receipts.example/1';
  const charge = { id: 'ch_1', amount_refunded: 0, currency: 'usd', payment_intent: paymentIntent, receipt_url: url };
  const event = {
    object: 'event',
    type: 'charge.succeeded',
    created: 1,
    livemode: false,
    data: { object: { ...charge, metadata: { topup_id: topupId } } },
  };
  expect(await applyEvent(db, event)).toBe('noted');
  expect(await applyFact(db, paid)).toBe('credited');
  const { rows } = await db.pool.query('select receipt_url from topups where id = $1', [topupId]);
  expect(rows).toEqual([{ receipt_url: url }]);
  // Of another order, or of another product.
  for (const metadata of [{ topup_id: 'top_none' }, {}]) {
    const other = { ...charge, payment_intent: 'pi_none', metadata };
    expect(await applyEvent(db, { ...event, data: { object: other } })).toBe('ignored');
  }
});

test('the check finds a payment whose row says otherwise than its entries', async () => {
  const { paid, reversal } = await order();
  await applyFact(db, paid);
  await applyFact(db, reversal('refund', 40, 'taken', 1));
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    await client.query('update topups set refunded_nanos = 30 where payment_intent = $1', [
      paid.type === 'paid' && paid.paymentIntent,
    ]);
    expect((await readInvariants(client)).violations.map(({ rule }) => rule)).toEqual([
      'a payment is credited and taken back as its row says',
    ]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
