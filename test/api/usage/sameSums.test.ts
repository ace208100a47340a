import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readAccountStatement, nextMonthOf } from '../../../db/accounting/statement.ts';
import { USAGE_GROUPS, readUsageReport, type UsageReport } from '../../../db/accounting/usageReport.ts';
import { sumHours } from '../../../db/accounting/usageCells.ts';
import { readInvoiceContent } from '../../../db/invoices/invoiceLines.ts';
import { createSpendDays } from '../../../db/accounting/spendDays.ts';
import { readRevenue } from '../../../db/accounting/revenue.ts';
import { sumRevenue } from '../../../db/accounting/revenueDays.ts';
import { openParquet } from '../../../db/archive/parquetFile.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { makeAccount } from '../../support/account.ts';
import { csvRowsOf } from '../../support/csvRows.ts';
import { monthFromNow } from '../../support/months.ts';
import { storeCalls, withOwner, type PastCall } from '../../support/pastCalls.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
afterAll(() => stage.close());

const random = seededRandom(flowSeed);
const pick = <T>(...all: T[]): T => all[Math.floor(random() * all.length)]!;
const nanosUpTo = (most: number) => 1 + Math.floor(random() * most);
const MONTHS = [-3, -2, -1].map((at) => monthFromNow(at).slice(0, 7));
const DAY_MS = 86_400_000;
const edgesMs = [-3, -2, -1, 0].map((at) => Date.parse(monthFromNow(at)));

/** A moment of these months: often within two seconds of a month's turn. */
function someMs(): number {
  const [first, last] = [edgesMs[0]!, edgesMs.at(-1)!];
  if (random() < 0.5) return first + Math.floor(random() * (last - first));
  return Math.min(Math.max(first, pick(...edgesMs) + Math.floor(random() * 4_000) - 2_000), last - 1);
}

/** An entry of the account that is not made yet. */
interface Entry {
  kind: string;
  subject: string;
  nanos: number;
  ms: number;
}

let account: Awaited<ReturnType<typeof makeAccount>>;
const entries: Entry[] = [];

beforeAll(async () => {
  account = await makeAccount(stage.db, { creditUsd: '100' });
  const { workspaceId } = account;
  const calls = Array.from({ length: 100 }, () => ({ ms: someMs(), nanos: nanosUpTo(9_999_999), left: 0 }));
  // What a month says of calls is what was booked in it: changes of their bills have times of their own.
  const changes: (Omit<Entry, 'subject'> & { call: number })[] = [];
  for (const [call, one] of calls.entries()) {
    one.left = one.nanos;
    let { ms } = one;
    // Each at most once; a refund returns what is left.
    for (const kind of ['correction', 'refund'].filter(() => random() < 0.2)) {
      ms += pick(0, 1, 500, DAY_MS, 40 * DAY_MS);
      if (ms >= edgesMs.at(-1)!) break;
      const nanos = kind === 'refund' ? one.left : Math.floor(random() * 2 * one.left) - one.left;
      changes.push({ kind, nanos, ms, call });
      one.left -= nanos;
    }
  }
  const ids = await storeCalls(
    stage.databaseUrl,
    calls.map(({ ms, left }): PastCall => ({
      at: new Date(ms).toISOString(),
      keyId: account.keyId,
      workspaceId,
      model: pick('model-a', 'model-b'),
      product: pick('text', 'speech'),
      costNanos: left,
      usage: { input_tokens: nanosUpTo(1_000) },
    })),
  );
  for (const [at, { ms, nanos }] of calls.entries())
    entries.push({ kind: 'debit', subject: ids[at]!, nanos: -nanos, ms });
  for (const { call, ...change } of changes) entries.push({ ...change, subject: ids[call]! });
  for (let nth = 0; nth < 12; nth += 1) {
    const run = await makeRun(stage.db, account, { maxCostNanos: 20_000_000n });
    const [subtotalNanos, networkFeeNanos] = [BigInt(nanosUpTo(9_999_999)), BigInt(nanosUpTo(999_999))];
    await finishTestRun(stage.db, run, { subtotalNanos, networkFeeNanos });
    entries.push({ kind: 'run', subject: run.id, nanos: -Number(subtotalNanos + networkFeeNanos), ms: someMs() });
  }
  for (const kind of ['topup', 'topup_refund', 'dispute', 'adjustment', 'payout'])
    for (let nth = 0; nth < 4; nth += 1)
      entries.push({ kind, subject: `${kind}_${nth}`, nanos: nanosUpTo(9_999_999) - 5_000_000, ms: someMs() });
  await write();
});

/** Writes the entries in the order of their times, after the payment that opened the account. */
async function write(): Promise<void> {
  const { accountId, workspaceId } = account;
  const rank = ({ kind }: Entry) => Number(kind === 'refund' || kind === 'correction');
  entries.sort((one, other) => one.ms - other.ms || rank(one) - rank(other));
  let balance = Number(nanosOfUsd('100'));
  await withOwner(stage.databaseUrl, async (owner) => {
    await owner.query(OPENED, [accountId, new Date(edgesMs[0]! - 1)]);
    for (const [at, { kind, subject, nanos, ms }] of entries.entries()) {
      balance += nanos;
      const values = [accountId, at + 2, subject, nanos, balance, new Date(ms)];
      if (kind === 'run') await owner.query(MOVE_RUN, values);
      else if (kind === 'debit') await owner.query(DEBIT, values);
      else await owner.query(ENTER, [...values, workspaceId, kind]);
    }
  });
}

const OPENED = `
with account as (update accounts set created_at = $2 where id = $1),
numbered as (update ledger_legs set sequence = sequence + 1000000 where account_id = $1 and sequence > 1)
update ledger_legs set created_at = $2 where account_id = $1 and sequence = 1`;

const MOVE_RUN = `
with run as (update runs set settled_at = $6 where id = $3),
meters as (update run_usage set settled_at = $6 where run_id = $3),
others as (update ledger_legs set created_at = $6 where subject = $3 and account_id <> $1)
update ledger_legs set created_at = $6, sequence = $2, balance_after_nanos = $5 where account_id = $1 and subject = $3 and amount_nanos = $4`;

const DEBIT = `
update requests set transaction_id = -$2::bigint, leg = 1, account_id = $1, debited_nanos = -$4::bigint, sequence = $2, balance_after_nanos = $5,
  hash = '', settled_at = $6
where id = $3`;

const ENTER = `
insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos, created_at)
values (nextval('ledger_transaction_ids'), 1, $1, $7, $8, $3, $4, $2, $5, $6)`;

const isSpending = ({ kind }: Entry) => kind === 'run' || CALLS.includes(kind);
const rangeOf = (month: string) => ({ from: new Date(`${month}-01`), to: new Date(nextMonthOf(month)) });
const sumOf = (all: { nanos: number }[]) => all.reduce((sum, { nanos }) => sum + BigInt(nanos), 0n);
const CALLS = ['debit', 'refund', 'correction'];
const inMonth = (month: string, ...kinds: string[]) => {
  const { from, to } = rangeOf(month);
  return sumOf(entries.filter(({ kind, ms }) => kinds.includes(kind) && ms >= from.getTime() && ms < to.getTime()));
};

const get = (path: string) =>
  fetch(stage.api.url + path, { headers: { authorization: `Bearer ${account.secret}` } }).then(async (response) => {
    expect(response.status).toBe(200);
    return response;
  });

const sumOfRows = ({ rows }: UsageReport) => rows.reduce((sum, { costNanos }) => sum + BigInt(costNanos), 0n);

async function expectSameUsage(): Promise<void> {
  const rows = stage.db.read(account.workspaceId);
  for (const month of MONTHS) {
    const spent = -inMonth(month, ...CALLS, 'run');
    for (const group of USAGE_GROUPS.filter((one) => one !== 'minute')) {
      const report = (await readUsageReport(rows, { ...rangeOf(month), groupBy: [group] }))!;
      expect([month, group, sumOfRows(report)]).toEqual([month, group, spent]);
      expect([month, group, BigInt(report.total.costNanos)]).toEqual([month, group, spent]);
    }
  }
  for (let nth = 0; nth < 8; nth += 1) {
    const [fromMs, toMs] = [someMs(), someMs()].toSorted((a, b) => a - b) as [number, number];
    const report = (await readUsageReport(rows, {
      from: new Date(fromMs),
      to: new Date(toMs),
      groupBy: ['day', pick('key', 'product', 'meter')],
    }))!;
    const spent = -sumOf(entries.filter((one) => isSpending(one) && one.ms >= fromMs && one.ms < toMs));
    expect([fromMs, toMs, sumOfRows(report)]).toEqual([fromMs, toMs, spent]);
  }
  const from = new Date(edgesMs[0]!);
  const days = await rows.transaction((tx) => createSpendDays().read(tx, { from, now: new Date() }));
  const byDay = Map.groupBy(entries.filter(isSpending), ({ ms }) => new Date(ms).toISOString().slice(0, 10));
  const expected = [...byDay].map(([day, all]) => [day, -sumOf(all)] as const).filter(([, nanos]) => nanos !== 0n);
  expect(days).toEqual(new Map(expected));
  const revenue = await readRevenue(stage.db.everywhere, { days: 90, costOf: () => undefined });
  for (const { day, chargedNanos } of [...revenue.days, ...revenue.daysBefore.slice(0, -1)])
    expect([day, chargedNanos]).toEqual([day, -sumOf(byDay.get(day) ?? [])]);
}

test('a month costs the same in its statement, usage, ledger and export', async () => {
  const rows = stage.db.read(account.workspaceId);
  let closing: bigint | undefined;
  for (const month of MONTHS) {
    const statement = await readAccountStatement(rows, { accountId: account.accountId, month });
    const spent = -inMonth(month, ...CALLS, 'run');
    expect([month, statement.spendNanos]).toEqual([month, spent]);
    const total = (lines: { costNanos: bigint }[]) => lines.reduce((sum, { costNanos }) => sum + costNanos, 0n);
    expect([month, total(statement.spend), total(statement.projects)]).toEqual([month, spent, spent]);
    const { openingNanos, topupsNanos, refundsNanos, adjustmentsNanos, payoutsNanos, closingNanos } = statement;
    expect(openingNanos + topupsNanos + refundsNanos + adjustmentsNanos + payoutsNanos - spent).toBe(closingNanos);
    if (closing !== undefined) expect(openingNanos).toBe(closing);
    closing = closingNanos;
    const csv = csvRowsOf(await (await get(`/platform/v1/billing/statement?month=${month}&format=csv`)).text());
    const listed = csv.filter(({ line }) => line === 'spend').map(({ amount_usd }) => nanosOfUsd(amount_usd!));
    expect([month, listed.reduce((sum, nanos) => sum - nanos, 0n)]).toEqual([month, spent]);
    const { from, to } = rangeOf(month);
    const range = `from=${from.toISOString()}&to=${to.toISOString()}`;
    const ledger = csvRowsOf(await (await get(`/platform/v1/billing/ledger?format=csv&${range}`)).text());
    const moved = ledger.filter((entry) => entry.balance_after_usd !== '');
    expect([month, moved.length, moved.reduce((sum, { amount_usd }) => sum + nanosOfUsd(amount_usd!), 0n)]).toEqual([
      month,
      entries.filter(({ ms }) => ms >= from.getTime() && ms < to.getTime()).length,
      closingNanos - openingNanos,
    ]);
    const totals = (await (await get(`/platform/v1/billing/ledger/totals?${range}`)).json()) as { amount_usd: number };
    expect([month, nanosOfUsd(totals.amount_usd)]).toEqual([month, closingNanos - openingNanos]);
    const invoice = await rows.transaction((tx) => readInvoiceContent(tx, { accountId: account.accountId, month }));
    expect([month, invoice!.usageNanos]).toEqual([month, spent]);
    const exported = await readExport(month);
    expect([month, exported]).toEqual([month, -inMonth(month, ...CALLS)]);
  }
});

test('usage is the same before and after its hours are summed', async () => {
  await expectSameUsage();
  await sumRevenue(stage.db.everywhere);
  await sumHours(stage.db.write(account.workspaceId), { budgetMs: 60_000 });
  await expectSameUsage();
});

async function readExport(month: string): Promise<bigint> {
  const bytes = Buffer.from(await (await get(`/platform/v1/usage/export?month=${month}`)).arrayBuffer());
  const file = await openParquet({
    byteLength: bytes.byteLength,
    slice: (start, end) => new Uint8Array(bytes.subarray(start, end)).buffer,
  });
  const at = file.columns.indexOf('cost_nanos');
  const read = await file.read({ first: 0, end: file.rows });
  return read.reduce((sum, row) => sum + (row[at] as bigint), 0n);
}
