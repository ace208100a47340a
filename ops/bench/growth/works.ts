import { readUsageReport } from '../../../db/accounting/usageReport.ts';
import { sumHoursOfAll } from '../../../db/accounting/usageCells.ts';
import { findRequest, listRequests } from '../../../db/accounting/requests.ts';
import { readAccountStatement } from '../../../db/accounting/statement.ts';
import type { Database } from '../../../db/database.ts';
import { pruneKeys } from '../../../db/answers/idempotency.ts';
import { exportWorkspace } from '../../../db/exports/exportWorkspace.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { listLedgerEntries } from '../../../db/ledger/ledgerEntries.ts';
import { pruneUnbilled } from '../../../db/ledger/retention.ts';
import { isReapDue } from '../../../db/ledger/sweep.ts';
import type { AnyTransaction } from '../../../db/postgres/rows.ts';
import { pruneResponseItems } from '../../../db/answers/responseItems.ts';
import { pruneRuns } from '../../../db/runs/removeRun.ts';
import { appendEvents, pruneEvents } from '../../../db/events/appendEvents.ts';
import { readEvents } from '../../../db/events/readEvents.ts';
import { readUncancelled, readUnstarted } from '../../../db/runs/states/pendingRuns.ts';
import { readRuns } from '../../../db/runs/listRuns.ts';
import { makeBill } from '../bill.ts';
import { accountIdOf, keyIdOf, workspaceIdOf, WORKSPACES } from './fill.ts';

/** An operation whose cost must not depend on the size of the tables, with its repetitions per round. */
export interface Work {
  name: string;
  times: number;
  /** The owner's statements before each round: rows for the sweep to delete. */
  prepare?: string;
  run: (db: Database, at: number) => Promise<unknown>;
}

const DAY_MS = 86_400_000;
const CALL_NANOS = 2_000n;
// More than the calls of a round cost: a slice is taken once.
const SLICE_NANOS = 100_000_000n;
const SPENDERS = 50;
const TOGETHER = 16;
const OWN = workspaceIdOf(0);

/** A spender of the filled database. */
function spenderOf(number: number): Spender {
  const workspace = number % WORKSPACES;
  return { keyId: keyIdOf(number), accountId: accountIdOf(workspace), workspaceId: workspaceIdOf(workspace) };
}

/** A hold, its settlement and the posting, by several concurrent callers. */
async function callsTogether({ ledger }: Database, at: number): Promise<void> {
  await Promise.all(
    Array.from({ length: TOGETHER }, async (_, caller) => {
      const spender = spenderOf((at * TOGETHER + caller) % SPENDERS);
      await ledger.settle(await ledger.hold(spender, SLICE_NANOS / 1_000n), makeBill(spender, CALL_NANOS));
    }),
  );
}

async function firstCall({ ledger }: Database, at: number): Promise<void> {
  // A different key each time, whose account has no slice.
  const spender = spenderOf(WORKSPACES + SPENDERS + (at % (WORKSPACES - SPENDERS)));
  await ledger.settle(await ledger.hold(spender, SLICE_NANOS), makeBill(spender, CALL_NANOS));
  await ledger.posted();
}

const monthAgo = () => new Date(Date.now() - 30 * DAY_MS);
const lastMonth = () => monthAgo().toISOString().slice(0, 7);

let someRequestId = '';
let someRunId = '';

// The run has ended, and `ledger check` reads its events afterwards.
async function appendAndUndo({ client }: AnyTransaction): Promise<never> {
  await appendEvents(client, someRunId, [{ type: 'run.output_text.delta', data: { delta: 'a word' } }]);
  throw new Error('to be rolled back');
}

const OLD_EVENTS = `
  insert into run_events (run_id, sequence, workspace_id, type, data, created_at)
  select 'run_old' || random(), n, '${OWN}', 'run.output_text.delta', '{}', now() - interval '31 days' from generate_series(1, 1000) n`;
const OLD_RUNS = `
  create temporary table old_run as select * from runs where workspace_id = '${OWN}' limit 1;
  insert into runs select (jsonb_populate_record(r, jsonb_build_object('id', 'run_old' || random() || n, 'content_deleted_at', null,
    'created_at', now() - interval '32 days', 'settled_at', now() - interval '31 days'))).* from old_run r, generate_series(1, 100) n;
  drop table old_run`;
// As large as the others: smaller keys would go into the free space of many pages.
const OLD_KEYS = `
  insert into idempotency_keys (workspace_id, route, key, fingerprint, resource_id, running_until, status, headers, body, created_at)
  select '${OWN}', 'POST /v1/chat/completions', md5(random()::text), sha256(n::text::bytea), 'req_old' || random() || n, now(), 200, '{}',
    repeat('x', 400), now() - interval '25 hours' from generate_series(1, 1000) n`;
const OLD_ITEMS = `
  insert into response_items (id, workspace_id, item, expires_at)
  select 'msg_old' || random() || n, '${OWN}', repeat('x', 400), now() - interval '1 hour' from generate_series(1, 1000) n`;

const OLD_CALLS = `
  create temporary table old_call as select * from requests where workspace_id = '${OWN}' limit 1;
  insert into requests select (jsonb_populate_record(r, jsonb_build_object('id', 'req_old' || random() || n, 'status', 502, 'cost_nanos', 0,
    'transaction_id', null, 'leg', null, 'account_id', null, 'debited_nanos', null, 'sequence', null, 'balance_after_nanos', null, 'hash', null,
    'settled_at', (select min(summed_until) from usage_rollups) - interval '100 days'))).* from old_call r, generate_series(1, 1000) n;
  drop table old_call`;
const OLD_HOLDS = `
  insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, state, day, created_at, ended_at)
  select 'hold_old' || random() || n, '${OWN}', '${accountIdOf(0)}', '${keyIdOf(0)}', 'proc_old', 'slice', 0, 'released', current_date - 100,
    now() - interval '100 days', now() - interval '100 days' from generate_series(1, 1000) n`;
// Longer than the time span of the filled databases.
const KEPT_DAYS = 95;

/** Operations of a caller, an owner and the sweep, each for the workspace whose rows are the same at each size. */
export const WORKS: Work[] = [
  { name: '16 calls at once', times: 60, run: callsTogether },
  { name: 'a call of a key that has no slice', times: 100, run: firstCall },
  { name: 'balance', times: 100, run: ({ ledger }) => ledger.balanceOf(OWN) },
  {
    name: 'newest 20 calls',
    times: 40,
    run: async ({ read }) => {
      const page = await listRequests(read(OWN), {}, { limit: 20, after: null });
      someRequestId = page.rows[7]!.id;
    },
  },
  { name: 'one call', times: 40, run: ({ read }) => findRequest(read(OWN), someRequestId) },
  {
    name: 'newest 20 ledger entries',
    times: 40,
    run: ({ read }) => listLedgerEntries(read(OWN), { accountId: accountIdOf(0), before: null, limit: 20 }),
  },
  {
    name: 'payments in the ledger',
    times: 40,
    run: ({ read }) =>
      listLedgerEntries(read(OWN), { accountId: accountIdOf(0), before: null, limit: 20, filter: { kind: 'topup' } }),
  },
  {
    name: 'statement of a month',
    times: 20,
    run: ({ read }) => readAccountStatement(read(OWN), { accountId: accountIdOf(0), month: lastMonth() }),
  },
  {
    name: 'usage of a day',
    times: 20,
    run: ({ read }) =>
      readUsageReport(read(OWN), { groupBy: ['hour'], from: new Date(Date.now() - DAY_MS), to: new Date() }),
  },
  {
    name: 'usage of a month',
    times: 20,
    run: ({ read }) => readUsageReport(read(OWN), { groupBy: ['day'], from: monthAgo(), to: new Date() }),
  },
  {
    name: 'newest 20 runs',
    times: 40,
    run: async ({ read }) => {
      const filter = { beforeId: null, limit: 20 };
      someRunId = (await readRuns(read(OWN), filter)).runs[7]!.id;
    },
  },
  { name: 'export of a workspace', times: 5, run: ({ read }) => exportWorkspace(read(OWN), async () => {}) },
  {
    name: 'an event of a run',
    times: 100,
    run: ({ everywhere }) => everywhere.transaction(appendAndUndo).catch(() => {}),
  },
  { name: 'events of a run', times: 40, run: ({ read }) => readEvents(read(OWN), someRunId, { after: 0, limit: 100 }) },
  { name: 'the second’s look for dead processes', times: 100, run: ({ pool }) => isReapDue(pool) },
  { name: 'sweep: runs to start', times: 40, run: ({ everywhere }) => readUnstarted(everywhere) },
  { name: 'sweep: runs to cancel', times: 40, run: ({ everywhere }) => readUncancelled(everywhere) },
  { name: 'sweep: 1,000 expired events', times: 1, prepare: OLD_EVENTS, run: ({ pool }) => pruneEvents(pool) },
  { name: 'sweep: 100 expired runs', times: 1, prepare: OLD_RUNS, run: ({ everywhere }) => pruneRuns(everywhere) },
  { name: 'sweep: 1,000 expired keys', times: 1, prepare: OLD_KEYS, run: ({ pool }) => pruneKeys(pool) },
  {
    name: 'sweep: 1,000 expired items',
    times: 1,
    prepare: OLD_ITEMS,
    run: ({ pool }) => pruneResponseItems(pool),
  },
  {
    name: 'sweep: 1,000 calls without a bill',
    times: 1,
    prepare: OLD_CALLS,
    run: ({ pool }) => pruneUnbilled(pool, KEPT_DAYS),
  },
  { name: 'sweep: 1,000 ended holds', times: 1, prepare: OLD_HOLDS, run: ({ pool }) => pruneUnbilled(pool, KEPT_DAYS) },
  { name: 'sweep: hours to sum', times: 5, run: (db) => sumHoursOfAll(db) },
];
