import type { PoolClient } from 'pg';
import { audit } from '../workspaces/audit.ts';
import type { RowsOfAll } from '../postgres/rows.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { requestBatchCancel } from '../batches/batches.ts';
import { removeObjects } from '../files/fileObjects.ts';
import type { RunStore } from '../runs/runRow.ts';
import { requestCancel } from '../runs/states/cancelRun.ts';
import { idsInBothModes } from '../workspaces/workspaces.ts';
import type { ErasureRow } from './erasures.ts';
import { FATES, type Fate } from './fates.ts';
import { erasePeople } from './people.ts';

const ROWS_PER_ROUND = 500;
const PARENTS_PER_PAGE = 50;
// For triggers and for a busy machine: each round finds its rows by an index.
const ROUND_TIMEOUT_MS = 60_000;
const REASON = 'The workspace is being erased.';

type Needed = RunStore & Pick<RowsOfAll, 'everywhere'>;

/** The incomplete erasures after their grace period. */
export const listDueErasures = async ({ everywhere }: Pick<Needed, 'everywhere'>): Promise<ErasureRow[]> =>
  everywhere.statement(({ em, Erasure, sql }) =>
    em.find(
      Erasure,
      { cancelledAt: null, erasedAt: null, dueAt: { $lte: sql.now() } },
      { orderBy: { dueAt: 'asc' }, limit: 100 },
    ),
  );

/** The erasure's work in other systems. */
export interface OtherPlaces {
  /** Deletes the workspace's workflows from Temporal, except for runs that are open. Returns how many there were. */
  deleteHistories: (workspaceId: string) => Promise<number>;
  /** Ends the workspace's open payment pages. */
  endPayments: (workspaceId: string) => Promise<void>;
  onProgress: () => void;
}

/**
 * Erases a workspace as `FATES` says. Every step can be repeated, so a process may die in between: the next one begins again. Its test
 * workspace is erased first. False: some work of the workspace has not ended yet, and the next call continues.
 */
export async function eraseWorkspace(
  db: Needed,
  { id, workspaceId }: Pick<ErasureRow, 'id' | 'workspaceId'>,
  { deleteHistories, endPayments, onProgress }: OtherPlaces,
): Promise<boolean> {
  const { pool, everywhere } = db;
  const ids = await idsInBothModes(everywhere, workspaceId);
  const open = await Promise.all(ids.map((one) => hasOpenWork(db, one)));
  if (open.includes(true)) return false;
  const started = await pool.query(START, [id]);
  if (started.rowCount === 0) return false;
  await erasePeople(everywhere, workspaceId);
  const voices = await readUpstreamVoices(pool, workspaceId);
  let left = 0;
  for (const one of ids) {
    for (const [table, fate] of Object.entries(FATES))
      await applyFate(pool, { table, fate, workspaceId: one, onProgress });
    // Last, because a workflow ends a moment after its run.
    left += await deleteHistories(one);
  }
  // Everything else is erased even if the store or Stripe is down: the next call finds these rows.
  for (const one of ids) await eraseObjects(everywhere, one, onProgress);
  await endPayments(workspaceId);
  if (left > 0) return false;
  await everywhere.transaction(async (tx) => {
    const done = await tx.client.query('update erasures set erased_at = now() where id = $1 and erased_at is null', [
      id,
    ]);
    if (done.rowCount === 0) return;
    const subject = { workspaceId, subjectType: 'workspace', subjectId: workspaceId };
    // An operator removes cloned voices at their upstreams: this names them.
    const detail = { erasure_id: id, ...(voices.length > 0 && { voices_at_upstreams: voices }) };
    await audit(tx, { keyId: null, requestId: id }, { ...subject, action: 'erase_workspace', detail });
  });
  return true;
}

const START = `
update erasures set started_at = coalesce(started_at, now())
where id = $1 and cancelled_at is null and erased_at is null and due_at <= now() returning id`;

/**
 * Cancels all running work. Runs of other workspaces with its agents end by themselves. Operators decide open transfers of earnings, which
 * still name the person who requested them.
 */
async function hasOpenWork(db: Needed, workspaceId: string): Promise<boolean> {
  const { rows } = await db.pool.query<{ id: string; own: boolean }>(OPEN_RUNS, [workspaceId]);
  for (const { id: runId, own } of rows)
    if (own) await requestCancel(db, { workspaceId, runId, mode: 'immediate', reason: REASON });
  const batches = await db.pool.query<{ id: string }>(OPEN_BATCHES, [workspaceId]);
  for (const { id } of batches.rows) await requestBatchCancel(db.everywhere, id).catch(() => undefined);
  const transfers = await db.pool.query(OPEN_TRANSFERS, [workspaceId]);
  return rows.length + batches.rows.length + transfers.rows.length > 0;
}

const OPEN_RUNS = `
select id, workspace_id = $1 as own from runs where settled_at is null and (workspace_id = $1 or publisher_workspace_id = $1) limit 500`;
const OPEN_BATCHES = 'select id from batches where workspace_id = $1 and ended_at is null limit 500';

const OPEN_TRANSFERS = `select from payouts where workspace_id = $1 and status = 'requested' limit 1`;

/** Removes the files of a workspace from the store. */
async function eraseObjects(everywhere: Needed['everywhere'], workspaceId: string, onProgress: () => void) {
  do onProgress();
  while ((await removeObjects(everywhere, { workspaceId })) > 0);
}

async function readUpstreamVoices(pool: Needed['pool'], workspaceId: string): Promise<object[]> {
  const sql = `select upstream_ids as ids from voices where workspace_id = $1 and upstream_ids <> '{}'`;
  const { rows } = await pool.query<{ ids: object }>(sql, [workspaceId]);
  return rows.map(({ ids }) => ids);
}

interface Round {
  table: string;
  fate: Fate;
  workspaceId: string;
  onProgress: () => void;
}

async function applyFate(pool: Needed['pool'], { table, fate, workspaceId, onProgress }: Round): Promise<void> {
  if (fate.fate === 'kept') {
    if (fate.replaced) await repeat(pool, replaceSql(table, fate.replaced, fate.owner), [workspaceId], onProgress);
    return;
  }
  if (fate.isInStore) return;
  for (const before of BEFORE[table] ?? []) await repeat(pool, before, [workspaceId], onProgress);
  if (fate.by === undefined) return repeat(pool, deleteSql(table, 'workspace_id = $1'), [workspaceId], onProgress);
  const { parent, column } = fate.by;
  for (let after = { id: '', at: '-infinity' }; ;) {
    const { rows } = await pool.query<typeof after>(nextParents(parent), [workspaceId, after.at, after.id]);
    const last = rows.at(-1);
    if (!last) return;
    await repeat(pool, deleteSql(table, `${column} = any($1)`), [rows.map(({ id }) => id)], onProgress);
    after = last;
  }
}

// In the order of their index by workspace.
const nextParents = (parent: string) => `
select id, created_at::text as at from ${parent} where workspace_id = $1 and (created_at, id) > ($2::timestamptz, $3)
order by created_at, id limit ${PARENTS_PER_PAGE}`;

// Rows that belong to a workspace without naming it.
const BEFORE: Record<string, string[]> = {
  platform_events: [
    deleteSql(
      'event_mails',
      'event_id in (select e.id from platform_events e where e.workspace_id = $1)',
      'event_id, recipient',
    ),
  ],
};

function deleteSql(table: string, where: string, key = 'ctid'): string {
  return `delete from ${table} where (${key}) in (select ${key} from ${table} where ${where} limit ${ROWS_PER_ROUND})`;
}

// Rows that differ from their replacement: so a repetition finds the rest, and in the end none.
function replaceSql(table: string, replaced: Record<string, string>, owner = 'workspace_id'): string {
  const columns = Object.entries(replaced);
  const sets = columns.map(([column, expression]) => `"${column}" = ${expression}`).join(', ');
  const differs = columns.map(([column, expression]) => `"${column}" is distinct from ${expression}`).join(' or ');
  return `update ${table} set ${sets} where ctid in (select ctid from ${table} where ${owner} = $1 and (${differs}) limit ${ROWS_PER_ROUND})`;
}

async function repeat(pool: Needed['pool'], text: string, values: unknown[], onProgress: () => void): Promise<void> {
  for (let count = ROWS_PER_ROUND; count === ROWS_PER_ROUND;) {
    onProgress();
    count = await inTransaction(pool, async (client) => (await runRound(client, text, values)) ?? 0);
  }
}

async function runRound(client: PoolClient, text: string, values: unknown[]): Promise<number | null> {
  await client.query(`set local statement_timeout = ${ROUND_TIMEOUT_MS}; set local ledgerline.erasing = 'on'`);
  const round = { text, values, query_timeout: ROUND_TIMEOUT_MS };
  return (await client.query(round)).rowCount;
}
