import { afterAll, expect, test } from '@jest/globals';
import { array, assert, asyncProperty, bigInt, constantFrom, integer, oneof, record } from 'fast-check';
import { newId } from '../../../db/ids.ts';
import { readAccountStatement, type AccountStatement } from '../../../db/accounting/statement.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const KINDS = [
  'topup',
  'topup_refund',
  'dispute',
  'adjustment',
  'debit',
  'refund',
  'correction',
  'future_kind',
] as const;
const MONTHS = ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03'];
const START_MS = Date.UTC(2025, 11, 1);

interface Event {
  kind: (typeof KINDS)[number];
  nanos: bigint;
  atMs: number;
  route: string;
}

/** Months of a history, with many times close to the start of a month. */
const history = array(
  record({
    kind: constantFrom(...KINDS),
    nanos: bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).filter((nanos) => nanos !== 0n),
    atMs: oneof(
      integer({ min: 0, max: 100 * 86_400_000 }),
      constantFrom(0, 31, 62, 90).map((days) => days * 86_400_000),
      constantFrom(31, 62, 90).map((days) => days * 86_400_000 - 1),
    ),
    route: constantFrom('/v1/chat/completions', '/v1/audio/speech', '/voiceapi/v1/text-to-speech/:voice_id', 'run'),
  }),
  { maxLength: 25 },
);

/** Writes a history like the ledger, entry by entry. Returns it in order of time. */
async function write(account: Awaited<ReturnType<typeof makeAccount>>, events: Event[]): Promise<Event[]> {
  const sorted = events.toSorted((one, other) => one.atMs - other.atMs);
  let balance = 0n;
  for (const [index, { kind, nanos, atMs, route }] of sorted.entries()) {
    const subject = newId('req');
    const at = new Date(START_MS + atMs);
    balance += nanos;
    await db.pool.query(
      `with tx as (select nextval('ledger_transaction_ids') as id)
       insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos, created_at)
       select id, 1, $1, $2, $3, $4, $5::bigint, $6::bigint, $7::bigint, $8::timestamptz from tx
       union all select id, 2, 'payments', null, $3 || ' contra', $4, -$5::bigint, null, null, $8 from tx`,
      [account.accountId, account.workspaceId, kind, subject, nanos, index + 1, balance, at],
    );
    if (['debit', 'refund', 'correction'].includes(kind) && route !== 'run')
      await writeRequest(account, subject, route, at);
  }
  return sorted;
}

const writeRequest = (
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
  id: string,
  route: string,
  at: Date,
) =>
  db.pool.query(
    `insert into requests (id, workspace_id, key_id, route, model, status, cancelled, usage, cost_nanos, written_off_nanos, hold_nanos, started_at,
       duration_ms, stream_bytes) values ($1, $2, $3, $4, $4, 200, false, '{}', 0, 0, 0, $5, 1, 0)`,
    [id, workspaceId, keyId, route, at],
  );

const sum = (amounts: bigint[]) => amounts.reduce((total, nanos) => total + nanos, 0n);

function expectExact(statement: AccountStatement, month: string, events: Event[]): void {
  const monthOf = ({ atMs }: Event) => new Date(START_MS + atMs).toISOString().slice(0, 7);
  const within = events.filter((event) => monthOf(event) === month);
  const nanosOf = (...kinds: string[]) =>
    sum(within.filter(({ kind }) => kinds.includes(kind)).map(({ nanos }) => nanos));
  expect(statement).toMatchObject({
    openingNanos: sum(events.filter((event) => monthOf(event) < month).map(({ nanos }) => nanos)),
    topupsNanos: nanosOf('topup'),
    refundsNanos: nanosOf('topup_refund', 'dispute'),
    adjustmentsNanos: nanosOf('adjustment', 'future_kind'),
    spendNanos: -nanosOf('debit', 'refund', 'correction'),
    closingNanos: sum(events.filter((event) => monthOf(event) <= month).map(({ nanos }) => nanos)),
  });
  expect(sum(statement.spend.map(({ costNanos }) => costNanos))).toBe(statement.spendNanos);
  const { openingNanos, topupsNanos, refundsNanos, adjustmentsNanos, payoutsNanos, spendNanos, closingNanos } =
    statement;
  expect(openingNanos + topupsNanos + refundsNanos + adjustmentsNanos + payoutsNanos - spendNanos).toBe(closingNanos);
}

test("a statement's sums equal the ledger's to the nano-dollar, in every month of any history", async () => {
  await assert(
    asyncProperty(history, async (events) => {
      const account = await makeAccount(db, { balanceNanos: 0n });
      const written = await write(account, events);
      const rows = db.read(account.workspaceId);
      const statements = [];
      for (const month of MONTHS)
        statements.push(await readAccountStatement(rows, { accountId: account.accountId, month }));
      for (const [index, month] of MONTHS.entries()) expectExact(statements[index]!, month, written);
    }),
    { numRuns: 40 },
  );
});
