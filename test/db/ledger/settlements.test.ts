import { describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { newId } from '../../../db/ids.ts';
import type { Settlement } from '../../../db/ledger/settlement.ts';
import { postEach, settleBatches, writeBatch, reverseSettlement } from '../../../db/ledger/batches.ts';
import { takeHold } from '../../../db/ledger/holdRows.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import {
  billOf,
  expectSoundLedger,
  makeSpender,
  openLedger,
  openHoldsOf,
  settleAgain,
  spentByDay,
} from '../../support/ledger.ts';
import { ownerUrlOf } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const db = await openLedger();

/** A settlement in the database's form, with a separate hold of this process. */
async function heldSettlement(spender: Spender, heldNanos: bigint, costNanos: bigint): Promise<Settlement> {
  const { rows } = await db.pool.query('select id from processes where reaped_at is null limit 1');
  const hold = newId('hold');
  const order = { id: hold, processId: rows[0].id as string, keyId: spender.keyId, kind: 'request' as const };
  const { grantedNanos } = await takeHold(db.pool, { ...order, wantNanos: heldNanos, needNanos: heldNanos });
  expect(grantedNanos).toBe(heldNanos);
  const { requestId, route, model, status, cancelled, usage, product } = billOf(spender, costNanos);
  const { workspaceId: workspace, accountId: account, keyId: key } = spender;
  const charge = costNanos < heldNanos ? costNanos : heldNanos;
  // prettier-ignore
  return {
    id: requestId, workspace, account, key, hold, route, model, status, cancelled, usage,
    cost: Number(costNanos), charge: Number(charge), held: Number(heldNanos),
    started: new Date().toISOString(), first: null, duration: 1, bytes: 0,
    upstream: null, attempts: 0, finish: null, cached: null, reasoning: null, price: null, product,
  };
}

/** Puts new settlements on disk as one batch, and posts it. */
async function writeAndSettle(items: Settlement[]): Promise<void> {
  const id = newId('batch');
  await writeBatch(db.pool, { id, processId: 'proc_test', items });
  try {
    await settleBatches(db.pool, [id], []);
  } finally {
    await db.pool.query('delete from settlement_batches where id = $1', [id]);
  }
}

describe('a settlement', () => {
  test('retried after its answer was lost charges nothing more and returns the first charge', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const item = await heldSettlement(spender, 300n, 200n);
    await writeAndSettle([item]);
    const again = { ...item, charge: 300, cost: 300 };
    await expect(writeAndSettle([again])).rejects.toMatchObject({ code: 'P0001' });
    expect(await settleAgain(db, again)).toBe(200n);
    expect(await balance()).toBe(800n);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
  });

  test('that violates a rule does not prevent the others of its batch from being billed', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const holds = await Promise.all(Array.from({ length: 12 }, () => db.ledger.hold(spender, 1_000n)));
    await Promise.all(
      holds.map((hold, index) => {
        const poison = index === 5 ? { model: null as unknown as string } : {};
        return db.ledger.settle(hold, billOf(spender, 1_000n, poison));
      }),
    );
    expect(await balance()).toBe(89_000n);
    expect(db.errors).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/^the settlement of .* was refused$/) }),
    );
    await forgetRefused();
    await db.ledger.freeSlices(spender.accountId);
    await until(async () => (await openHoldsOf(db, spender.accountId)).count === 0);
  });

  test("that violates a rule frees its call's own hold", async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100n });
    const hold = await db.ledger.hold(spender, 100n);
    await db.ledger.settle(hold, billOf(spender, 100n, { model: null as unknown as string }));
    await forgetRefused();
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
    await db.ledger.settle(await db.ledger.hold(spender, 100n), billOf(spender, 60n));
    expect(await balance()).toBe(40n);
  });

  test('that was settled before is not billed twice, and the others of its batch are billed', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const [first, second] = await Promise.all([1, 2].map(() => db.ledger.hold(spender, 1_000n)));
    const bill = billOf(spender, 1_000n);
    await db.ledger.settle(first!, bill);
    const charged = [
      db.ledger.settle(second!, bill),
      db.ledger.settle(await db.ledger.hold(spender, 1_000n), billOf(spender, 500n)),
    ];
    expect(await Promise.all(charged)).toEqual([1_000n, 500n]);
    expect(await balance()).toBe(98_500n);
  });

  test('of many accounts in one batch bills each its own', async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => makeSpender(db, { balanceNanos: 9_000n })));
    await Promise.all(
      accounts.flatMap(({ spender }, index) =>
        [1n, 2n, 3n].map(async (nanos) => {
          const cost = nanos * BigInt(index + 1);
          await db.ledger.settle(await db.ledger.hold(spender, 100n), billOf(spender, cost));
        }),
      ),
    );
    expect(await Promise.all(accounts.map(({ balance }) => balance()))).toEqual(
      accounts.map((_, index) => 9_000n - 6n * BigInt(index + 1)),
    );
  });
});

describe('a batch', () => {
  test('that begins with a failed call numbers and chains the others as usual', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 10_000n });
    const failed = await heldSettlement(spender, 0n, 0n);
    const billed = [await heldSettlement(spender, 100n, 100n), await heldSettlement(spender, 200n, 200n)];
    await writeAndSettle([failed, ...billed, await heldSettlement(spender, 0n, 0n)]);
    expect(await balance()).toBe(9_700n);
    const sql = 'select sequence, balance_after_nanos from ledger_entries where account_id = $1 order by sequence';
    const { rows } = await db.pool.query(sql, [spender.accountId]);
    expect(rows.map((row) => [row.sequence, row.balance_after_nanos])).toEqual([
      ['1', '10000'],
      ['2', '9900'],
      ['3', '9700'],
    ]);
    await expectSoundLedger(db);
  });
});

describe('a reversed bill', () => {
  test('returns the charge to the account and to the ceiling of its day, once', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n, spendLimitNanos: 500n });
    const item = await heldSettlement(spender, 300n, 200n);
    await writeAndSettle([item]);
    const failed = { ...item, status: 503, cost: 0, charge: 0 };
    expect(await reverseSettlement(db.pool, failed)).toBe(200n);
    expect(await reverseSettlement(db.pool, failed)).toBe(0n);
    expect(await balance()).toBe(1_000n);
    expect(await spentByDay(db, spender.keyId)).toEqual([0n]);
  });

  test('is never written when it was reversed before', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const item = await heldSettlement(spender, 300n, 200n);
    await reverseSettlement(db.pool, { ...item, status: 503, cost: 0, charge: 0 });
    await settleAgain(db, item);
    expect(await balance()).toBe(1_000n);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
  });

  test.each([true, false])('forgets the kept answer, whether it was posted before (%s) or not', async (isPosted) => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const item = await heldSettlement(spender, 300n, 200n);
    const { workspaceId } = spender;
    const parts = [0, 1].map((part) => ({
      requestId: item.id,
      workspaceId,
      fingerprint: null,
      part,
      state: 'whole' as const,
      bytes: Buffer.from('x'),
    }));
    const kept = async () =>
      (await db.pool.query('select from answer_parts where request_id = $1', [item.id])).rowCount;
    await writeBatch(db.pool, { id: `batch_${item.id}`, processId: 'proc_a', items: [item], parts });
    expect(await kept()).toBe(2);
    if (isPosted) await settleBatches(db.pool, [`batch_${item.id}`], null);
    await reverseSettlement(db.pool, { ...item, status: 503, cost: 0, charge: 0 });
    expect(await kept()).toBe(0);
    if (!isPosted) await postEach(db.pool, [`batch_${item.id}`]);
    await expectSoundLedger(db);
  });

  test('of a slice leaves the slice unchanged', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const hold = await db.ledger.hold(spender, 1_000n);
    const { nanos } = await openHoldsOf(db, spender.accountId);
    const bill = billOf(spender, 400n);
    const other = await heldSettlement(spender, 1n, 1n);
    const item = { ...other, id: bill.requestId, hold: hold.id, cost: 400, charge: 400 };
    await writeAndSettle([item]);
    await reverseSettlement(db.pool, { ...item, status: 503, cost: 0, charge: 0 });
    await writeAndSettle([other]);
    expect((await openHoldsOf(db, spender.accountId)).nanos).toBe(nanos);
    await db.ledger.settle(hold, billOf(spender, 1_000n));
    expect(await balance()).toBe(98_999n);
    await db.ledger.freeSlices(spender.accountId);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
  });

  test('frees its hold when it was not on disk in time, and the account keeps working', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const hold = await db.ledger.hold(spender, 1_000n);
    const lock = await lockBatches();
    const late = db.ledger.settleWithin(50, hold, billOf(spender, 1_000n));
    // The statement ends at its timeout; a settlement that waits longer than its caller is reversed.
    await expect(late).rejects.toMatchObject({ name: 'LedgerUnavailable' });
    await lock.release();
    await until(async () => db.ledger.healthy());
    const all = await db.ledger.hold(spender, 100_000n);
    await db.ledger.settle(all, billOf(spender, 100_000n));
    expect(await balance()).toBe(0n);
  });
});

describe('ledger entries', () => {
  test('cannot be changed or deleted', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    await db.ledger.settle(await db.ledger.hold(spender, 500n), billOf(spender, 100n));
    await db.ledger.posted();
    const owner = new Client({ connectionString: ownerUrlOf(db.url) });
    await owner.connect();
    for (const statement of [
      'update ledger_legs set amount_nanos = 0',
      'delete from ledger_legs',
      'truncate ledger_legs',
      'update requests set debited_nanos = 0',
      'update requests set sequence = null',
      'update requests set settled_at = now()',
      'truncate requests',
    ]) {
      await expect(owner.query(statement)).rejects.toMatchObject({ message: expect.stringContaining('append-only') });
      await expect(db.pool.query(statement)).rejects.toMatchObject({
        code: expect.stringMatching(/^(42501|P0001)$/),
      });
    }
    // The platform finds only those that were not charged.
    await expect(owner.query('delete from requests')).rejects.toMatchObject({
      message: expect.stringContaining('append-only'),
    });
    await db.pool.query('delete from requests');
    const { rows } = await db.pool.query('select debited_nanos from requests where workspace_id = $1', [
      spender.workspaceId,
    ]);
    expect(rows).toEqual([{ debited_nanos: '100' }]);
    await owner.end();
  });

  test('must sum to zero in each transaction', async () => {
    const legs = `insert into ledger_legs (transaction_id, leg, account_id, kind, subject, amount_nanos)
      values (-1, 1, 'revenue', 'revenue', 'x', 5), (-1, 2, 'payments', 'payments', 'x', -4)`;
    await expect(db.pool.query(legs)).rejects.toMatchObject({ message: expect.stringContaining('sum to zero') });
  });

  test('credit a payment once, and cannot take held money', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const order = {
      kind: 'topup',
      subject: newId('pay'),
      workspaceId: spender.workspaceId,
      houseAccountId: 'payments',
    };
    const credits = await Promise.all([1, 2, 3].map(() => db.ledger.transfer({ ...order, amountNanos: 70n })));
    expect(credits.filter(Boolean)).toHaveLength(1);
    const hold = await db.ledger.hold(spender, 1_000n);
    const refund = { ...order, kind: 'payment refund', amountNanos: -71n };
    await expect(db.ledger.transfer(refund)).rejects.toMatchObject({ message: expect.stringContaining('cover') });
    await db.ledger.settle(hold, billOf(spender, 0n));
    expect(await balance()).toBe(1_070n);
  });
});

/** Removes the settlement that was refused and stored. */
async function forgetRefused(): Promise<void> {
  expect((await db.pool.query('delete from settlement_batches where refusal is not null')).rowCount).toBe(1);
}

/** Blocks writes to disk until it is released. */
async function lockBatches() {
  const client = new Client({ connectionString: ownerUrlOf(db.url) });
  await client.connect();
  await client.query('begin');
  await client.query('lock table settlement_batches in exclusive mode');
  return {
    release: async () => {
      await client.query('rollback');
      await client.end();
    },
  };
}
