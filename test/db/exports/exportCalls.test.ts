import { afterAll, expect, test } from '@jest/globals';
import { nextMonthOf, readAccountStatement } from '../../../db/accounting/statement.ts';
import { readUsageReport } from '../../../db/accounting/usageReport.ts';
import { openParquet } from '../../../db/archive/parquetFile.ts';
import { exportCalls } from '../../../db/exports/exportCalls.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { storeCalls, withOwner } from '../../support/pastCalls.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** An entry of an account: the debit of a call as the month saw it, or what changed it later. */
interface Entry {
  kind: 'debit' | 'refund' | 'correction';
  subject: string;
  nanos: number;
  at: string;
}

async function enter({ accountId, workspaceId }: { accountId: string; workspaceId: string }, entries: Entry[]) {
  await withOwner(db.url, async (owner) => {
    let balance = 0;
    for (const [at, entry] of entries.entries()) {
      balance += entry.nanos;
      const values = [accountId, entry.subject, entry.nanos, at + 1, balance];
      if (entry.kind === 'debit')
        await owner.query(`update requests set transaction_id = -$4::bigint, leg = 1, account_id = $1, debited_nanos = -$3::bigint, sequence = $4,
          balance_after_nanos = $5, hash = '' where id = $2`, values); // prettier-ignore
      else
        await owner.query(`insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence,
          balance_after_nanos, created_at) values (-$4::bigint, 1, $1, $6, $7, $2, $3::bigint, $4, $5, $8)`, [...values, workspaceId, entry.kind, entry.at]); // prettier-ignore
    }
  });
}

async function readExport(workspaceId: string, month: string): Promise<Record<string, unknown>[]> {
  const parts: Uint8Array[] = [];
  const range = { from: new Date(`${month}-01`), to: new Date(nextMonthOf(month)) };
  for await (const bytes of exportCalls(db.read(workspaceId), range)) parts.push(bytes);
  const bytes = Buffer.concat(parts);
  const file = await openParquet({
    byteLength: bytes.byteLength,
    slice: (start, end) => new Uint8Array(bytes.subarray(start, end)).buffer,
  });
  const rows = await file.read({ first: 0, end: file.rows });
  const text = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value);
  return rows.map((row) => Object.fromEntries(file.columns.map((name, place) => [name, text(row[place])])));
}

test('a bill that is changed after its month stays in it, and the change is in the month of its booking', async () => {
  const account = await makeAccount(db, { balanceNanos: 0n });
  const { workspaceId, keyId, accountId } = account;
  const calls = [
    { at: '2026-03-10T12:00:00Z', costNanos: 0, status: 502 },
    { at: '2026-03-31T23:59:58Z', costNanos: 70, usage: { output_tokens: 7 } },
    { at: '2026-03-31T23:59:59Z', costNanos: 0, status: 502 },
    { at: '2026-04-02T00:00:00Z', costNanos: 40 },
  ];
  const ids = await storeCalls(
    db.url,
    calls.map((call) => ({ ...call, workspaceId, keyId })),
  );
  const [early, corrected, refunded, april] = ids as [string, string, string, string];
  await enter(account, [
    { kind: 'debit', subject: early, nanos: -5, at: calls[0]!.at },
    { kind: 'refund', subject: early, nanos: 5, at: '2026-03-10T12:00:01Z' },
    { kind: 'debit', subject: corrected, nanos: -50, at: calls[1]!.at },
    { kind: 'debit', subject: refunded, nanos: -30, at: calls[2]!.at },
    { kind: 'correction', subject: corrected, nanos: -20, at: '2026-04-01T00:00:00Z' },
    { kind: 'refund', subject: refunded, nanos: 30, at: '2026-04-01T00:00:01Z' },
    { kind: 'debit', subject: april, nanos: -40, at: calls[3]!.at },
  ]);
  const exported = { march: await readExport(workspaceId, '2026-03'), april: await readExport(workspaceId, '2026-04') };
  const brief = (rows: Record<string, unknown>[]) =>
    rows.map(({ kind, id, cost_nanos, units_output_tokens }) => [kind, id, cost_nanos, units_output_tokens]);
  expect(brief(exported.march)).toEqual([
    ['call', early, 0n, null],
    ['call', corrected, 50n, 7],
    ['call', refunded, 30n, null],
  ]);
  expect(brief(exported.april)).toEqual([
    ['correction', corrected, 20n, null],
    ['refund', refunded, -30n, null],
    ['call', april, 40n, null],
  ]);
  for (const [month, rows] of [
    ['2026-03', exported.march],
    ['2026-04', exported.april],
  ] as const) {
    const total = rows.reduce((sum, row) => sum + (row.cost_nanos as bigint), 0n);
    const range = { from: new Date(`${month}-01`), to: new Date(nextMonthOf(month)) };
    const usage = await readUsageReport(db.read(workspaceId), { ...range, groupBy: ['day'] });
    const statement = await readAccountStatement(db.read(workspaceId), { accountId, month });
    expect({ month, total }).toEqual({ month, total: BigInt(usage!.total.costNanos) });
    expect({ month, total }).toEqual({ month, total: statement.spendNanos });
  }
});
