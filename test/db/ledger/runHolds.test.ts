import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { billOf, makeSpender, openHoldsOf, spentByDay } from '../../support/ledger.ts';
import { setRunHoldStage } from './runHoldStage.ts';

const { db, publisherWorkspaceId, hold, settle } = await setRunHoldStage();

const holdWithRetry = (spender: Spender, wantNanos: bigint, needNanos = 1n) =>
  db.ledger.holdRunPatiently(spender.accountId, (_, place) =>
    place({ holdId: newId('hold'), keyId: spender.keyId, wantNanos, needNanos }),
  );

async function entriesOf(runId: string) {
  const { rows } = await db.pool.query(
    `select account_id, workspace_id, kind, amount_nanos::int as nanos, sequence is not null as chained
     from ledger_entries where subject = $1 order by transaction_id, leg`,
    [runId],
  );
  return rows;
}

describe('the hold of a run', () => {
  test("counts in the account's held amount, and the sweep of dead processes does not release it", async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    expect(await hold(spender, 700n)).toMatchObject({ outcome: 'granted', grantedNanos: 700n });
    await db.ledger.reap();
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 700n, count: 1 });
    expect(await hold(spender, 301n, 301n)).toMatchObject({ outcome: 'held', grantedNanos: 0n });
  });

  test('is smaller than wanted when no more is free, and then the only such one of its account', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    expect(await hold(spender, 1_500n, 400n)).toMatchObject({ outcome: 'granted', grantedNanos: 1_000n });
    await db.ledger.transfer({
      kind: 'topup',
      subject: newId('test'),
      workspaceId: spender.workspaceId,
      houseAccountId: 'payments',
      amountNanos: 100n,
    });
    expect(await hold(spender, 200n)).toMatchObject({ outcome: 'held' });
    expect(await hold(spender, 100n)).toMatchObject({ outcome: 'granted', grantedNanos: 100n });
  });

  test('is refused with a reason and a remedy', async () => {
    const poor = await makeSpender(db, { balanceNanos: 100n });
    expect(await hold(poor.spender, 500n, 101n)).toMatchObject({ outcome: 'balance' });
    const limited = await makeSpender(db, { balanceNanos: 1_000n, spendLimitNanos: 100n });
    expect(await hold(limited.spender, 500n, 101n)).toMatchObject({ outcome: 'ceiling' });
    expect(await hold({ ...poor.spender, keyId: 'key_none' }, 1n)).toMatchObject({ outcome: 'revoked' });
  });

  test('is rolled back with its transaction', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const failing = db.ledger.holdRunPatiently(spender.accountId, async (_, place) => {
      await place({ holdId: newId('hold'), keyId: spender.keyId, wantNanos: 10n, needNanos: 10n });
      throw new Error('no session');
    });
    await expect(failing).rejects.toMatchObject({ message: 'no session' });
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
  });

  test('uses the free money of slices before it accepts less', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
    const call = await db.ledger.hold(spender, 10n);
    await db.ledger.settle(call, billOf(spender, 10n));
    expect((await openHoldsOf(db, spender.accountId)).nanos).toBeGreaterThan(0n);
    expect(await holdWithRetry(spender, 99_990n)).toBe(99_990n);
  });

  test('is granted to exactly as many callers as the balance or the ceiling covers', async () => {
    for (let round = 0; round < 40; round += 1) {
      const [balance, ceiling] = round % 2 === 0 ? [1_000n, 5_000n] : [5_000n, 1_000n];
      const limits = { spendLimitNanos: ceiling, spendLimitPeriod: 'daily' as const };
      const { spender } = await makeSpender(db, { balanceNanos: balance, ...limits });
      const answers = await Promise.all(Array.from({ length: 64 }, () => hold(spender, 100n, 100n)));
      expect(answers.filter(({ outcome }) => outcome === 'granted')).toHaveLength(10);
      expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 1_000n, count: 10 });
    }
  });

  test('waits for money that is held but not spent', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const { holdId } = await hold(spender, 1_000n);
    const waiting = holdWithRetry(spender, 600n, 600n);
    await settle({ holdId, subtotalNanos: 400n });
    expect(await waiting).toBe(600n);
  });

  test('is refused when no money becomes free in time', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    await hold(spender, 1_000n);
    await expect(holdWithRetry(spender, 10n)).rejects.toMatchObject({ name: 'HoldRefused', reason: 'held' });
  });

  test("grows by what is free, within the caller's transaction", async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const { holdId } = await hold(spender, 300n);
    const extend = (nanos: bigint) => inTransaction(db.pool, (client) => db.ledger.extendRun(client, holdId, nanos));
    expect(await extend(200n)).toBe(200n);
    expect(await extend(900n)).toBe(500n);
    expect(await extend(1n)).toBe(0n);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 1_000n, count: 1 });
  });
});

describe('the settlement of a run', () => {
  test('debits once, pays the publisher and the platform, and frees the rest of the hold', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n, spendLimitNanos: 900n });
    const { holdId } = await hold(spender, 500n);
    const settlement = { runId: newId('run'), holdId, subtotalNanos: 200n, networkFeeNanos: 20n };
    expect(await settle(settlement)).toBe(220n);
    expect(await settle({ ...settlement, subtotalNanos: 300n })).toBe(220n);
    expect(await balance()).toBe(780n);
    expect(await spentByDay(db, spender.keyId)).toEqual([220n]);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
    const clearing = `clearing_${publisherWorkspaceId}`;
    expect(await entriesOf(settlement.runId)).toEqual([
      {
        account_id: spender.accountId,
        workspace_id: spender.workspaceId,
        kind: 'debit',
        nanos: -220,
        chained: true,
      },
      { account_id: 'network_fee', workspace_id: null, kind: 'fee', nanos: 20, chained: false },
      { account_id: clearing, workspace_id: null, kind: 'earning due', nanos: 200, chained: false },
      { account_id: clearing, workspace_id: null, kind: 'earning contra', nanos: -200, chained: false },
      {
        account_id: `payable_${publisherWorkspaceId}`,
        workspace_id: publisherWorkspaceId,
        kind: 'earning',
        nanos: 200,
        chained: false,
      },
    ]);
  });

  test('is one transaction of the caller and one of the publisher, each of which is posted once', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const { holdId } = await hold(spender, 500n);
    const runId = newId('run');
    await settle({ runId, holdId, subtotalNanos: 200n, networkFeeNanos: 20n });
    const again = await db.pool.query(`select ledger_earn($1, $2, $3, 200, now()) as earned`, [
      runId,
      spender.workspaceId,
      publisherWorkspaceId,
    ]);
    expect(again.rows).toEqual([{ earned: false }]);
    const { rows } = await db.pool.query(
      `select array_remove(array_agg(workspace_id), null) as workspaces, count(hash)::int as sealed, sum(amount_nanos)::int as nanos
       from ledger_entries where subject = $1 group by transaction_id order by transaction_id`,
      [runId],
    );
    expect(rows).toEqual([
      // The hash of the debit is the link of its chain; the other one is the seal.
      { workspaces: [spender.workspaceId], sealed: 2, nanos: 0 },
      { workspaces: [publisherWorkspaceId], sealed: 1, nanos: 0 },
    ]);
  });

  test('of a failed run charges nothing and books its consumption between house accounts', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const { holdId } = await hold(spender, 500n);
    const settlement = { runId: newId('run'), holdId, absorbedNanos: 70n };
    expect(await settle(settlement)).toBe(0n);
    expect(await settle(settlement)).toBe(0n);
    expect(await balance()).toBe(1_000n);
    expect(await spentByDay(db, spender.keyId)).toEqual([]);
    expect(await entriesOf(settlement.runId)).toMatchObject([
      { account_id: 'consumed', workspace_id: spender.workspaceId, kind: 'absorbed', nanos: 70 },
      { account_id: 'absorbed', workspace_id: null, kind: 'absorbed contra', nanos: -70 },
    ]);
  });

  test('repeated twenty times concurrently charges once', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const { holdId } = await hold(spender, 500n);
    const settlement = { runId: newId('run'), holdId, subtotalNanos: 33n, networkFeeNanos: 4n };
    const charged = await Promise.all(Array.from({ length: 20 }, () => settle(settlement)));
    expect(new Set(charged)).toEqual(new Set([37n]));
    expect(await balance()).toBe(963n);
  });

  test("counts towards the day of the run's hold", async () => {
    const { spender } = await makeSpender(db, {
      balanceNanos: 1_000n,
      spendLimitNanos: 500n,
      spendLimitPeriod: 'daily',
    });
    const { holdId } = await hold(spender, 500n);
    await db.pool.query('update holds set day = day - 1 where id = $1', [holdId]);
    await settle({ holdId, subtotalNanos: 500n });
    const { rows } = await db.pool.query(
      `select day = (now() at time zone 'utc')::date - 1 as yesterday from key_days where key_id = $1`,
      [spender.keyId],
    );
    expect(rows).toEqual([{ yesterday: true }]);
    expect(await hold(spender, 500n, 500n)).toMatchObject({ outcome: 'granted' });
  });

  test.each([
    ['more than its hold', { subtotalNanos: 480n, networkFeeNanos: 21n }],
    ['both a price and something absorbed', { subtotalNanos: 1n, absorbedNanos: 1n }],
    ['a negative amount', { subtotalNanos: -1n }],
  ])('never charges %s', async (_, amounts) => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const { holdId } = await hold(spender, 500n);
    await expect(settle({ holdId, ...amounts })).rejects.toMatchObject({
      message: expect.stringContaining('cannot be charged'),
    });
    expect(await balance()).toBe(1_000n);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 500n, count: 1 });
  });

  test('of runs and of calls of one account forms one chain', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const work = Array.from({ length: 12 }, async (_, index) => {
      if (index % 2) return db.ledger.settle(await db.ledger.hold(spender, 100n), billOf(spender, 50n));
      const { holdId } = await hold(spender, 100n);
      return settle({ holdId, subtotalNanos: 40n, networkFeeNanos: 10n });
    });
    await Promise.all(work);
    expect(await balance()).toBe(100_000n - 12n * 50n);
    const { rows } = await db.pool.query(
      'select count(*)::int as entries, max(sequence)::int as last from ledger_entries where account_id = $1',
      [spender.accountId],
    );
    // Each entry's link is checked after every test, by the rules of the ledger.
    expect(rows).toEqual([{ entries: 13, last: 13 }]);
  });
});

test('many runs of an account without money leave the connections to others', async () => {
  const { spender: poor } = await makeSpender(db, { balanceNanos: 1_000n });
  await hold(poor, 1_000n);
  const others = await Promise.all(Array.from({ length: 60 }, () => makeSpender(db, { balanceNanos: 1_000n })));
  let ofPoor = 0;
  let mostOfPoor = 0;
  const createForPoor = () =>
    db.ledger.holdRunPatiently(poor.accountId, async (_, place) => {
      mostOfPoor = Math.max(mostOfPoor, (ofPoor += 1));
      try {
        return await place({ holdId: newId('hold'), keyId: poor.keyId, wantNanos: 500n, needNanos: 1n });
      } finally {
        ofPoor -= 1;
      }
    });
  const refused = Promise.allSettled(Array.from({ length: 150 }, createForPoor));
  const granted = await Promise.all(others.map(({ spender }) => holdWithRetry(spender, 500n)));
  expect(granted).toEqual(others.map(() => 500n));
  expect((await refused).map(({ status }) => status)).toEqual(Array.from({ length: 150 }, () => 'rejected'));
  expect(mostOfPoor).toBe(2);
});
