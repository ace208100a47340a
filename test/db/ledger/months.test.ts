import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { readAccountStatement } from '../../../db/accounting/statement.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { beginMonths } from '../../../ops/bench/growth/pastMonths.ts';
import { checkInvariants, readInvariants } from '../../../db/invariants/invariants.ts';
import { countLater, dropMonth, openMonths, recordArchive, sealMonth } from '../../../db/ledger/months.ts';
import { daysFromNow, sealingKeys } from '../../support/billDays.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { billOf, expectSoundLedger, makeSpender, settleAgain } from '../../support/ledger.ts';
import { idAt, monthFromNow, readMonths } from '../../support/months.ts';
import { lateSettlement } from './lateSettlement.ts';

/** The last month that ended two days ago, when one may be sealed: on the first days of a month the one before the last. */
const LAST_AT = new Date(Date.now() - 2 * 86_400_000).getUTCMonth() === new Date().getUTCMonth() ? -1 : -2;
/** That month, which calls are late for, and those beside it. */
const [EARLIER, LAST, THIS] = [monthFromNow(LAST_AT - 1), monthFromNow(LAST_AT), monthFromNow(LAST_AT + 1)] as const;
const TURN_MS = Date.parse(LAST);

const db = await setTestDatabase();
const owner = new Client(ownerUrlOf(db.url));
await owner.connect();
await beginMonths(owner, monthFromNow(-26));
const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
afterAll(async () => {
  await owner.end();
  await db.close();
});

/** Before all ids of calls of a month, and after those of the month before. */
const firstOf = (month: string) => idAt(new Date(month), '').slice(0, 'req_'.length + 8);
/** A call that began this long after the turn of two months, or before it. */
const idNear = (ms: number, letters: string) => idAt(new Date(TURN_MS + ms), letters);
const lateCall = (id: string, more: object = {}) => ({
  ...lateSettlement(billOf(spender, 0n, { requestId: id }), { hold: 'none', cost: 100n, charge: 100n }),
  ...more,
});
const settle = async (ids: string[]) => {
  const text = `select ledger_settle(array(select json_populate_record(null::ledger_settlement, i) from json_array_elements($1) i), '{}')`;
  await db.pool.query(text, [JSON.stringify(ids.map((id) => lateCall(id, { hold: null })))]);
  // Without a hold, no day counts them.
  const day = `insert into key_days as d values ($1, (now() at time zone 'utc')::date, $2, $3) on conflict (key_id, day)
    do update set spent_nanos = d.spent_nanos + excluded.spent_nanos`;
  await db.pool.query(day, [spender.keyId, spender.workspaceId, 100 * ids.length]);
};
const refund = (id: string) => db.pool.query(`select ledger_refund($1, 'none', 503) as nanos`, [id]);
const entriesOf = async (condition: string) =>
  (
    await owner.query<{ place: string; kind: string; subject: string; tx: string }>(
      `select place, kind, subject, transaction_id as tx from (
        select replace(tableoid::regclass::text, 'ledger_legs', '') as place, kind, subject, transaction_id, created_at from ledger_legs
        union all select replace(tableoid::regclass::text, 'requests', ''), 'debit', id, transaction_id, settled_at from requests where sequence is not null) e
      where ${condition}`,
    )
  ).rows;
const placeOf = (month: string) => `_${month.slice(0, 7).replace('-', '_')}`;

test('every month up to the next one has its partitions, and a second look makes none', async () => {
  const months = await readMonths(db.everywhere);
  expect(months.map(({ month }) => month)).toEqual(Array.from({ length: 28 }, (_, at) => monthFromNow(at - 26)));
  expect(await openMonths(db.pool)).toBe(0);
});

test('racing settlements, refunds and corrections at the turn of a month are booked once each', async () => {
  const ids = Array.from({ length: 24 }, (_, at) => idNear(at % 2 === 0 ? -1 - at : at, `race${at}`));
  const provisional = ids.map((_, at) => idNear(at % 2 === 0 ? -1 : 0, `late${at}`));
  const tries = [0, 1, 2].flatMap((nth) => [
    ...ids.map((id) => settleAgain(db, lateCall(id)).catch(() => 0n)),
    ...provisional.map((id) => settleAgain(db, lateCall(id, { provisional: nth === 0 })).catch(() => 0n)),
    ...ids.filter((_, at) => at % 3 === 0).map((id) => refund(id)),
    settle(ids.slice(nth, nth + 6)).catch(() => {}),
  ]);
  await Promise.all(tries);
  // What came before its call, or failed because another was faster, is tried again, as by the sweep.
  for (const id of ids) await settleAgain(db, lateCall(id));
  for (const id of provisional) await settleAgain(db, lateCall(id, { cost: 140, charge: 140, provisional: false }));
  await Promise.all([0, 1].flatMap(() => ids.filter((_, at) => at % 3 === 0).map(refund)));

  const subjects = [...ids, ...provisional].map((id) => `'${id}'`).join(', ');
  const rows = await entriesOf(`subject in (${subjects}) and kind in ('debit', 'refund', 'correction')`);
  const names = rows.map(({ kind, subject }) => `${kind} ${subject}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.startsWith('debit')).length).toBe(ids.length + provisional.length);
  expect(names.filter((name) => name.startsWith('refund')).length).toBe(8);
  for (const { place, subject } of rows) expect(place).toBe(placeOf(subject < firstOf(LAST) ? EARLIER : LAST));
  const { rows: numbers } = await owner.query(
    'select sequence from ledger_entries where sequence is not null group by account_id, sequence having count(*) > 1',
  );
  expect(numbers).toEqual([]);
  await expectSoundLedger(db);
});

test('a batch with calls of two months is two transactions, each whole in its month', async () => {
  const ids = [idNear(-2, 'both1'), idNear(2, 'both2'), idNear(-1, 'both3')];
  await settle(ids);
  const rows = await entriesOf(
    `transaction_id in (select transaction_id from ledger_entries where subject in ('${ids.join("','")}'))`,
  );
  const byTransaction = Map.groupBy(rows, ({ tx }) => tx);
  const kindsOf = [...byTransaction.values()].map((legs) =>
    legs
      .map(({ kind }) => kind)
      .toSorted()
      .join(' '),
  );
  expect(kindsOf.toSorted()).toEqual(['debit debit revenue', 'debit revenue']);
  for (const legs of byTransaction.values()) expect(new Set(legs.map(({ place }) => place)).size).toBe(1);
  await expectSoundLedger(db);
});

test('a call later than all months is kept, and its month is made of the place where it waits', async () => {
  const [next, after] = [monthFromNow(1), monthFromNow(2)];
  const id = idAt(new Date(Date.parse(next) + 5_000), 'ahead');
  await settle([id]);
  expect((await entriesOf(`subject = '${id}'`))[0]!.place).toBe('_later');
  const waiting = [
    { kind: 'requests', count: 1 },
    { kind: 'ledger_legs', count: 1 },
  ];
  expect(await countLater(db.everywhere)).toEqual(waiting);
  await owner.query('select ledger_open_months(2)');
  expect(await countLater(db.everywhere)).toEqual(waiting.map((one) => ({ ...one, count: 0 })));
  expect((await entriesOf(`subject = '${id}'`))[0]!.place).toBe(placeOf(next));
  expect((await readMonths(db.everywhere)).at(-1)!.month).toBe(after);
  expect(await settleAgain(db, lateCall(id))).toBe(100n);
  await expectSoundLedger(db);
});

test('the platform reads and writes no partition by its own name, and makes none of its functions the owner’s', async () => {
  for (const sql of [
    `select from ledger_legs${placeOf(LAST)}`,
    'select from requests_rest',
    `insert into ledger_legs${placeOf(LAST)} default values`,
  ])
    await expect(db.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
  for (const name of ['ledger_drop_month', 'ledger_freeze_month', 'ledger_record_archive']) {
    const asTenant = db
      .read(spender.workspaceId)
      .statement(({ client }) => client.query(`select ${name}('${LAST}'${name.endsWith('archive') ? ",'{}'" : ''})`));
    await expect(asTenant).rejects.toThrow();
  }
});

test('a month is sealed when all is signed, archived with the right proof, and dropped', async () => {
  await expect(sealMonth(db.pool, THIS)).rejects.toThrow(/has not ended/);
  await expect(dropMonth(db.pool, LAST)).rejects.toThrow(/is not archived/);
  await expect(sealMonth(db.pool, EARLIER)).rejects.toThrow(/are not signed/);
  await signDays(db.everywhere, sealingKeys, { now: daysFromNow(1) });
  const before = await checkInvariants(db.pool, { signedDays: null });
  expect(before.violations).toEqual([]);

  for (let at = -26; at <= LAST_AT; at += 1) {
    const month = monthFromNow(at);
    await sealMonth(db.pool, month);
    await sealMonth(db.pool, month);
    const { calls, entries, sums } = (await readMonths(db.everywhere)).find((one) => one.month === month)!;
    const proof = { calls: Number(calls), entries: Number(entries), sums: sums! };
    await expect(recordArchive(db.pool, month, { ...proof, entries: proof.entries + 1 })).rejects.toThrow(/other rows/);
    await expect(dropMonth(db.pool, month)).rejects.toThrow(/is not archived/);
    await recordArchive(db.pool, month, proof);
    if (month === LAST) {
      await expectFinal();
      await expectKeptWithOtherRows();
    }
    await dropMonth(db.pool, month);
    await dropMonth(db.pool, month);
    if (month >= EARLIER) expect(await checkInvariants(db.pool, { signedDays: null })).toEqual(before);
  }
  expect(
    await entriesOf(
      `subject like 'req\\_%' and created_at < now() and kind = 'debit' and subject < '${firstOf(THIS)}'`,
    ),
  ).toEqual([]);
});

/** Nothing changes a sealed month: neither the platform nor the owner. */
async function expectFinal(): Promise<void> {
  await expect(refund(idNear(2, 'both2'))).rejects.toThrow(/is sealed/);
  await expect(settleAgain(db, lateCall(idNear(3, 'tooLate')))).rejects.toThrow(/is sealed/);
  const id = idNear(2, 'both2');
  for (const sql of [
    `update requests set cost_nanos = 0 where id = '${id}'`,
    `delete from ledger_legs${placeOf(LAST)}`,
    `truncate ledger_legs${placeOf(LAST)}`,
  ])
    await expect(owner.query(sql)).rejects.toThrow(/is sealed/);
}

/** The database keeps a month of which a row is not the one that was sealed, however it was changed. */
async function expectKeptWithOtherRows(): Promise<void> {
  await owner.query('begin');
  await owner.query(`alter table requests${placeOf(LAST)} disable trigger user`);
  await owner.query(
    `update requests${placeOf(LAST)} set debited_nanos = debited_nanos + 1 where id = '${idNear(2, 'both2')}'`,
  );
  await expect(dropMonth(owner, LAST)).rejects.toThrow(/other rows than those sealed/);
  await owner.query('rollback');
}

test('a call of a dropped month is refused, and nothing is billed', async () => {
  const balance = await db.ledger.balanceOf(spender.workspaceId);
  await expect(settleAgain(db, lateCall(idNear(4, 'gone')))).rejects.toThrow(/of_no_month/);
  expect(await db.ledger.balanceOf(spender.workspaceId)).toEqual(balance);
  await expectSoundLedger(db);
});

test('after a drop, days are signed on, and statements open where entries have left', async () => {
  const id = idAt(new Date(), 'after');
  expect(await settleAgain(db, lateCall(id))).toBe(100n);
  const [entry] = (await owner.query(`select sequence from ledger_entries where kind = 'debit' and subject = $1`, [id]))
    .rows;
  // Today is signed, so the call is of tomorrow, which may be in the next month.
  const month = monthFromNow(2).slice(0, 7);
  const stated = () => readAccountStatement(db.read(spender.workspaceId), { ...spender, month });
  const balance = await stated();
  expect(balance.openingNanos).toBe(balance.closingNanos);
  expect(balance.openingNanos).toBeGreaterThan(0n);
  const { rows } = await owner.query('select posted_nanos as nanos from accounts where id = $1', [spender.accountId]);
  expect(String(balance.openingNanos)).toBe(rows[0].nanos);
  await signDays(db.everywhere, sealingKeys, { now: daysFromNow(2) });
  const signed = 'select max(last_sequence) as last from bill_days where account_id = $1';
  expect((await owner.query(signed, [spender.accountId])).rows[0].last).toBe(entry.sequence);
  expect(await stated()).toEqual(balance);
  await expectSoundLedger(db);
});

test('a changed sum or hash of a dropped month is found', async () => {
  const changes = {
    'a balance is the sum of its entries': `update ledger_carried set nanos = nanos + 1 where kind = 'account' and id = '${spender.accountId}'`,
    'entries are numbered without a gap': 'update ledger_carried_ranges set last_sequence = last_sequence - 1',
    'an entry states the balance after it': 'update ledger_carried_ranges set before_nanos = before_nanos + 1',
    'the hash chain holds': `update ledger_carried_ranges set before_hash = '\\x00'`,
  };
  for (const [rule, sql] of Object.entries(changes)) {
    await owner.query('begin');
    await owner.query(sql);
    const { violations } = await readInvariants(owner);
    await owner.query('rollback');
    expect(violations.map((one) => one.rule)).toContain(rule);
  }
});
