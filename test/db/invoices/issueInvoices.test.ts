import { afterAll, describe, expect, test } from '@jest/globals';
import { array, assert, asyncProperty, bigInt, constantFrom, integer, record } from 'fast-check';
import { readAccountStatement } from '../../../db/accounting/statement.ts';
import { newId } from '../../../db/ids.ts';
import { NO_DETAILS, saveDetails } from '../../../db/invoices/details.ts';
import { sumOf } from '../../../db/invoices/invoiceLines.ts';
import { findInvoice, listInvoices, type InvoiceRow } from '../../../db/invoices/invoices.ts';
import { issueInvoices } from '../../../db/invoices/issueInvoices.ts';
import { failAtOnce, TEST_ISSUER } from '../../support/issuer.ts';
import { setInvoiceDatabase, type PastEntry } from './invoiceStage.ts';

const { db, accountWith } = await setInvoiceDatabase('2025-11');
afterAll(() => db.close());

const USD = 1_000_000_000n;
const by = { keyId: null, requestId: 'req_test' };
const issue = (issuer = TEST_ISSUER) => issueInvoices(db, issuer, failAtOnce);

/** The invoices of a workspace with their lines, the oldest month first. */
async function invoicesOf({ workspaceId }: { workspaceId: string }): Promise<InvoiceRow[]> {
  const rows = db.read(workspaceId);
  const { rows: found } = await listInvoices(rows, { after: null, limit: 100 });
  const whole = await Promise.all(found.map(async ({ id }) => (await findInvoice(rows, id))!));
  return whole.toSorted((one, other) => (one.month < other.month ? -1 : 1));
}

/** All sums of an invoice are those of the statement, and its lines add up to the ledger's entries of the month. */
async function expectExact(account: { workspaceId: string; accountId: string }, invoice: InvoiceRow): Promise<void> {
  const { month, lines } = invoice;
  const { accountId, workspaceId } = account;
  const statement = await readAccountStatement(db.read(workspaceId), { accountId, month });
  expect(invoice).toMatchObject({
    openingNanos: statement.openingNanos,
    closingNanos: statement.closingNanos,
    usageNanos: statement.spendNanos,
    netNanos: statement.topupsNanos + statement.refundsNanos,
  });
  const { rows } = await db.pool.query<{ sum: string; tax: string }>(
    `select coalesce(sum(e.amount_nanos), 0) as sum, coalesce(sum(x.tax_nanos), 0) as tax
     from ledger_entries e left join payment_taxes x using (kind, subject)
     where e.account_id = $1 and to_char(e.created_at at time zone 'utc', 'YYYY-MM') = $2`,
    [accountId, month],
  );
  expect(sumOf(lines.map(({ nanos }) => nanos))).toBe(BigInt(rows[0]!.sum));
  expect(invoice.taxNanos).toBe(BigInt(rows[0]!.tax));
  expect(invoice.openingNanos + BigInt(rows[0]!.sum)).toBe(invoice.closingNanos);
}

describe('an invoice', () => {
  test('names the payments with their tax, free credit, and what was used, exactly', async () => {
    const calls: PastEntry[] = Array.from({ length: 300 }, (_one, nth) => ({
      kind: 'debit',
      nanos: -BigInt(1_234_567 + nth),
      at: `2025-12-${String(2 + (nth % 27)).padStart(2, '0')}T12:00:00Z`,
      model: `model-${nth % 3}`,
    })).toSorted((one, other) => (one.at < other.at ? -1 : 1));
    const account = await accountWith([
      { kind: 'adjustment', nanos: 5n * USD, at: '2025-12-01T00:00:00Z' },
      { kind: 'topup', nanos: 25n * USD, taxNanos: 4_750_000_000n, at: '2025-12-01T00:00:01Z' },
      ...calls,
      { kind: 'refund', nanos: 1_234_567n, at: '2025-12-30T00:00:00Z', model: 'model-0' },
      { kind: 'topup_refund', nanos: -10n * USD, taxNanos: -1_900_000_000n, at: '2025-12-31T23:59:59.999Z' },
      { kind: 'topup', nanos: 10n * USD, taxNanos: 0n, at: '2026-01-01T00:00:00Z' },
    ]);
    await issue();
    const [december, january] = await invoicesOf(account);
    for (const invoice of [december!, january!]) await expectExact(account, invoice);
    expect(december).toMatchObject({
      month: '2025-12',
      netNanos: 15n * USD,
      taxNanos: 2_850_000_000n,
      openingNanos: 0n,
      seller: TEST_ISSUER.seller,
      customer: { ...NO_DETAILS, workspaceName: 'test' },
    });
    const kinds = december!.lines.map(({ kind, name, requests }) => [kind, name, requests]);
    expect(kinds.slice(0, 3)).toEqual(
      [['adjustment'], ['payment'], ['refund']].map(([kind]) => [kind, undefined, undefined]),
    );
    expect(new Set(kinds.slice(3).map(String))).toEqual(new Set([0, 1, 2].map((nth) => `usage,model-${nth},100`)));
    expect(january).toMatchObject({ month: '2026-01', netNanos: 10n * USD, usageNanos: 0n });
  });

  test('sums up like the statement and the ledger in any history', async () => {
    const kinds = ['topup', 'topup_refund', 'dispute', 'adjustment', 'debit', 'refund', 'correction', 'payout'];
    const entry = record({
      kind: constantFrom(...kinds),
      nanos: bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).filter((nanos) => nanos !== 0n),
      day: integer({ min: 0, max: 80 }),
      taxNanos: bigInt({ min: 0n, max: 10n ** 10n }),
    });
    await assert(
      asyncProperty(array(entry, { minLength: 1, maxLength: 20 }), async (drawn) => {
        const entries = drawn
          .toSorted((one, other) => one.day - other.day)
          .map(({ day, taxNanos, ...rest }) => ({
            ...rest,
            ...(/^topup|dispute/.test(rest.kind) && { taxNanos }),
            at: new Date(Date.UTC(2025, 11, 1 + day)).toISOString(),
          }));
        const account = await accountWith(entries);
        await issue();
        const invoices = await invoicesOf(account);
        expect(invoices.map(({ month }) => month)).toEqual([...new Set(entries.map(({ at }) => at.slice(0, 7)))]);
        for (const invoice of invoices) await expectExact(account, invoice);
      }),
      { numRuns: 25, seed: 37 },
    );
  });

  test('is issued once by sweeps at the same time, and numbers have no gap', async () => {
    const accounts = [];
    for (let nth = 0; nth < 6; nth += 1)
      accounts.push(
        await accountWith([{ kind: 'topup', nanos: USD, at: '2025-12-05T00:00:00Z' }], { isTest: nth > 3 }),
      );
    const counts = await Promise.all([issue(), issue(), issue()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(await issue()).toBe(0);
    for (const account of accounts) expect(await invoicesOf(account)).toHaveLength(1);
    const { rows } = await db.pool.query(
      `select is_test, count(*) = max(sequence) and min(sequence) = 1 as whole from invoices group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { is_test: false, whole: true },
      { is_test: true, whole: true },
    ]);
    expect((await invoicesOf(accounts[0]!))[0]!.number).toMatch(/^INV-\d{6}$/);
    expect((await invoicesOf(accounts[5]!))[0]!.number).toMatch(/^TEST-\d{6}$/);
  });

  test('takes no number when it is not written', async () => {
    const account = await accountWith([{ kind: 'topup', nanos: USD, at: '2025-12-05T00:00:00Z' }]);
    const last = async () =>
      (await db.pool.query('select last_sequence from invoice_series where not is_test')).rows[0].last_sequence;
    const before = await last();
    const seller = { ...TEST_ISSUER.seller, name: 'Not\u0000written' };
    await expect(issue({ ...TEST_ISSUER, seller })).rejects.toThrow();
    const failed: string[] = [];
    const onFailure = (_error: unknown, workspaceId: string) => void failed.push(workspaceId);
    expect(await issueInvoices(db, { ...TEST_ISSUER, seller }, { onFailure })).toBe(0);
    expect(failed).toEqual([account.workspaceId]);
    expect([await last(), await invoicesOf(account)]).toEqual([before, []]);
    expect(await issue()).toBe(1);
  });

  test('keeps the details of its day, and is never changed', async () => {
    const topup = { kind: 'topup', nanos: USD, at: '2025-12-05T00:00:00Z' };
    const account = await accountWith([topup, { ...topup, at: '2026-01-05T00:00:00Z' }]);
    const rows = db.write(account.workspaceId);
    await saveDetails(rows, { company: 'Before Ltd', purchaseOrder: 'PO-1' }, by);
    await db.pool.query('insert into invoice_marks values ($1, $2)', [account.workspaceId, '2025-11']);
    await issue();
    await saveDetails(rows, { company: 'After Ltd' }, by);
    const invoices = await invoicesOf(account);
    expect(invoices.map(({ customer }) => customer.company)).toEqual(['Before Ltd', 'Before Ltd']);
    await expect(db.pool.query(`update invoices set net_nanos = 0`)).rejects.toThrow();
    await expect(db.pool.query(`delete from invoices`)).rejects.toThrow();
  });

  test('is mailed to accounts payable; nobody gets mail about a test', async () => {
    const topup = { kind: 'topup', nanos: USD, at: '2025-12-05T00:00:00Z' };
    const [live, tested] = [await accountWith([topup]), await accountWith([topup], { isTest: true })];
    for (const { workspaceId } of [live, tested])
      await saveDetails(db.write(workspaceId), { email: 'payable@northwind.example' }, by);
    await issue();
    const { rows } = await db.pool.query(
      `select e.workspace_id, e.type, e.data ->> 'number' as number, m.recipient from platform_events e
       left join event_mails m on m.event_id = e.id where e.workspace_id = any ($1) and e.type = 'invoice.issued' order by m.recipient`,
      [[live.workspaceId, tested.workspaceId]],
    );
    expect(rows).toEqual([
      {
        workspace_id: live.workspaceId,
        type: 'invoice.issued',
        number: expect.stringMatching(/^INV-/),
        recipient: 'payable@northwind.example',
      },
      {
        workspace_id: tested.workspaceId,
        type: 'invoice.issued',
        number: expect.stringMatching(/^TEST-/),
        recipient: null,
      },
    ]);
  });

  test('is not issued for a workspace that was erased', async () => {
    const account = await accountWith([{ kind: 'topup', nanos: USD, at: '2025-12-05T00:00:00Z' }]);
    await db.everywhere.statement(({ em, Erasure }) =>
      em.insert(Erasure, {
        id: newId('erase'),
        workspaceId: account.workspaceId,
        dueAt: new Date(),
        startedAt: new Date(),
      }),
    );
    expect(await issue()).toBe(0);
    expect(await invoicesOf(account)).toEqual([]);
  });

  test('is not issued for the current month, nor for one without a change', async () => {
    const now = new Date().toISOString();
    const account = await accountWith([
      { kind: 'topup', nanos: USD, at: '2025-12-05T00:00:00Z' },
      { kind: 'debit', nanos: -1n, at: now },
    ]);
    await issue();
    expect((await invoicesOf(account)).map(({ month }) => month)).toEqual(['2025-12']);
  });
});
