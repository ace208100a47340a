import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { findRequest, listRequests } from '../../../db/accounting/requests.ts';
import { listLedgerEntries } from '../../../db/ledger/ledgerEntries.ts';
import { migrate } from '../../../db/postgres/migrations.ts';
import { type RunningPostgres, startPostgres } from '../../../stack/postgres.ts';
import { openTestDatabase } from '../../support/database.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { billOf, makeSpender } from '../../support/ledger.ts';

// Pages that the database touches, not time: they do not depend on what else the machine does. A server of its own, which counts them.
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_utility': 'off',
  autovacuum: 'off',
  fsync: 'off',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
};
// Between these, indexes have the same depth: from some 40,000 to some 8 million rows.
const [FEW_ROWS, MANY_ROWS] = [100_000, 500_000];
const CALLS = 40;
const timeoutMs = 280_000;

let folder: TestFolder;
let postgres: RunningPostgres;
let owner: Client;
let db: Awaited<ReturnType<typeof openTestDatabase>>;
let account: Awaited<ReturnType<typeof makeSpender>>;

beforeAll(async () => {
  folder = await makeFolder();
  postgres = await startPostgres({ dataDir: folder.path, settings: SETTINGS, log: () => {} });
  await migrate(postgres.url, postgres.applicationUrl);
  owner = new Client(postgres.url);
  await owner.connect();
  await owner.query('create extension pg_stat_statements');
  db = await openTestDatabase({ url: postgres.applicationUrl });
  account = await makeSpender(db, { creditUsd: '1000' });
}, timeoutMs);
afterAll(async () => {
  await owner.end();
  await db.close();
  await postgres.stop();
  await folder.remove();
});

test(
  'a call, its record and the newest of lists touch as many pages with five times the rows',
  async () => {
    await fill(0, FEW_ROWS);
    // The first calls also read the catalogue's pages and plan their statements.
    await measure();
    const few = await measure();
    await fill(FEW_ROWS, MANY_ROWS);
    const many = await measure();
    for (const [name, pages] of Object.entries(many)) {
      const most = few[name]! * 1.1 + 1;
      expect({ name, pages, isFlat: pages <= most }).toEqual({ name, pages, isFlat: true });
    }
    expect(many['a call']).toBeGreaterThan(10);
  },
  timeoutMs,
);

/** Adds calls and their entries, half of this workspace and half of fifty others, over 180 days. */
async function fill(from: number, to: number): Promise<void> {
  const { keyId, accountId, workspaceId } = account.spender;
  const of = (mine: string, others: string) => `case when n % 2 = 0 then '${mine}' else '${others}' || n % 50 end`;
  const owners = `${of(workspaceId, 'ws_')}, ${of(keyId, 'key_')}`;
  const at = `now() - (180.0 - 180.0 * (n - ${from}) / ${to - from}) * interval '1 day'`;
  const numbers = `from generate_series(${from}, ${to - 1}) n`;
  // Without triggers: these entries belong to no balanced transaction.
  await owner.query('set session_replication_role = replica');
  await owner.query(`
    insert into requests (id, workspace_id, key_id, route, model, status, cancelled, usage, cost_nanos, written_off_nanos, hold_nanos,
      started_at, duration_ms, stream_bytes, settled_at)
    select 'req_' || md5(n::text), ${owners}, '/v1/chat/completions', 'ledgerline-text-1', 200, false,
      '{"input_tokens": 10, "output_tokens": 5}', 1000, 0, 5000, ${at}, 12, 0, ${at} ${numbers}`);
  await owner.query(`
    insert into ledger_entries (workspace_id, key_id, account_id, transaction_id, leg, kind, subject, amount_nanos, sequence,
      balance_after_nanos, hash, hash_version, created_at)
    select ${owners}, ${of(accountId, 'acct_')}, 1000000000 + n, 1, 'debit', 'req_' || md5(n::text), -1000, 1000000000 + n, 1,
      sha256(n::text::bytea), 2, ${at} ${numbers}`);
  await owner.query('set session_replication_role = origin');
  await owner.query('vacuum analyze requests, ledger_entries');
}

/** The pages that one of many repetitions of each work touches. */
async function measure(): Promise<Record<string, number>> {
  const { spender } = account;
  const mine = db.read(spender.workspaceId);
  const known: string[] = [];
  const call = async () => {
    const bill = billOf(spender, 1_000n);
    known.push(bill.requestId);
    await db.ledger.settle(await db.ledger.hold(spender, 5_000n), bill);
  };
  return {
    'a call': await pagesOf(call),
    'one request': await pagesOf((at) => findRequest(mine, known[at]!)),
    'newest requests': await pagesOf(() => listRequests(mine, {}, { limit: 20, after: null })),
    'newest entries': await pagesOf(() =>
      listLedgerEntries(mine, { accountId: spender.accountId, before: null, limit: 20 }),
    ),
    'the balance': await pagesOf(() => db.ledger.balanceOf(spender.workspaceId)),
  };
}

async function pagesOf(work: (at: number) => Promise<unknown>): Promise<number> {
  // Old versions of changed rows are read too, and their number is that of the calls just before.
  await owner.query('vacuum accounts, holds, key_days');
  await owner.query('select pg_stat_statements_reset()');
  for (let at = 0; at < CALLS; at++) await work(at);
  // All statements but those of the heartbeat, which come each second.
  const { rows } = await owner.query<{ pages: string }>(`
    select coalesce(sum(shared_blks_hit + shared_blks_read), 0) as pages from pg_stat_statements
    where query !~ 'processes|ledger_flush|ledger_reap|pg_stat_statements'`);
  return Number(rows[0]!.pages) / CALLS;
}
