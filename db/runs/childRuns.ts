import assert from 'node:assert/strict';
import type { ClientBase } from 'pg';
import type { Ledger } from '../ledger/ledger.ts';
import { derivedRunIdOf, newId } from '../ids.ts';
import { nanosOfUsd } from '../money.ts';
import { inTransaction } from '../postgres/transaction.ts';
import type { RowsOfAll } from '../postgres/rows.ts';
import { attachInputFiles } from '../sessions/addEntries.ts';
import { worthNanosOf } from './cost/runCost.ts';
import { holdIdOf, insertRun, refuseTooMany, type NewRun } from './createRun.ts';
import { firstEvents } from './firstEvents.ts';
import { appendEvents } from '../events/appendEvents.ts';
import { fileIdsOf } from './runInput.ts';
import { RunRefused } from './runRefused.ts';
import { mostOfOpen, readOpenTools, type OpenTools } from './steps/coverStep.ts';
import { isTerminal, lockRun, spentNanosOf, type LockedRun, type RunRow, type RunStore } from './runRow.ts';

/** How deep runs may call each other: a run that a caller started is at depth 0. */
export const DEPTH_MAX = 3;

/** Steps begin at 1. */
const NO_STEP = 0;

/** The id of the run started by a step. */
export const childRunIdOf = (runId: string, step: number): string => derivedRunIdOf(runId, step);

/** Reads a run in any state; undefined when it does not exist. */
export async function readRunRow(client: Pick<ClientBase, 'query'>, id: string): Promise<RunRow | undefined> {
  return (await client.query<RunRow>('select * from runs where id = $1', [id])).rows[0];
}

/**
 * Creates the run that a step of another run starts: for the same key and workspace, in a new session, with a part of the other run's
 * hold, which is its whole budget. Returns an existing run unchanged. Throws `RunRefused`: `parent_over`, `too_deep`, `no_budget`,
 * `budget_held`, `too_many_runs`. Throws `StorageRefused` for a file that is missing or does not fit.
 */
export function createChildRun(
  { pool, ledger, write }: RunStore & Pick<RowsOfAll, 'write'>,
  { parentId, step, order }: { parentId: string; step: number; order: Omit<NewRun, 'id' | 'sessionId'> },
): Promise<RunRow> {
  const id = childRunIdOf(parentId, step);
  return inTransaction(pool, async (client) => {
    const parent = await lockRun(client, parentId);
    const existing = await readRunRow(client, id);
    if (existing) return existing;
    if (isTerminal(parent.status) || parent.status === 'cancelling') throw new RunRefused({ reason: 'parent_over' });
    if (parent.depth >= DEPTH_MAX) throw new RunRefused({ reason: 'too_deep' });
    const amountNanos = await budgetOf(client, parent, order);
    const sessionId = newId('ses');
    await client.query('insert into sessions (id, workspace_id) values ($1, $2)', [sessionId, parent.workspace_id]);
    const fileIds = fileIdsOf(order.input);
    if (fileIds.length > 0)
      await attachInputFiles(await write(parent.workspace_id).within(client), { sessionId, fileIds });
    const child = {
      ...order,
      id,
      sessionId,
      priority: parent.priority,
      maxCostNanos: amountNanos,
      parent: { runId: parentId, step, depth: parent.depth + 1 },
    };
    await refuseTooMany(client, child);
    const holdId = holdIdOf(id);
    if (!(await ledger.splitRun(client, { fromId: parent.hold_id, toId: holdId, amountNanos })))
      throw new RunRefused({ reason: 'no_budget' });
    await client.query('update runs set held_nanos = held_nanos - $2 where id = $1', [parentId, amountNanos]);
    const row = await insertRun(client, child, {
      sessionId,
      waiting: false,
      output: [],
      unbilled: null,
      holdId,
      heldNanos: amountNanos,
    });
    const { sequence } = await appendEvents(client, id, firstEvents(row));
    return { ...row, last_sequence: sequence };
  });
}

/**
 * The rest of the other run's hold that its open steps leave, at most the agent's maximum; a run that could not pay its minimum is not
 * started, nor one that would get little because others hold more: these always end, and the other run tries again.
 */
async function budgetOf(
  client: ClientBase,
  parent: LockedRun,
  { maxCostNanos, pricing }: Pick<NewRun, 'maxCostNanos' | 'pricing'>,
): Promise<bigint> {
  const open = await readOpenTools(client, { runId: parent.id, step: NO_STEP });
  const leftNanos = BigInt(parent.held_nanos) - worthNanosOf(parent, mostOfOpen(open));
  const heldNanos = leftNanos < maxCostNanos ? await heldNanosOf(client, parent, open) : 0n;
  if (heldNanos > 0n && heldNanos > leftNanos) throw new RunRefused({ reason: 'budget_held' });
  const amountNanos = leftNanos < maxCostNanos ? leftNanos : maxCostNanos;
  if (amountNanos <= 0n || amountNanos < nanosOfUsd(pricing.minimum_cost_usd))
    throw new RunRefused({ reason: 'no_budget' });
  return amountNanos;
}

/** What open programs and called agents hold of a run's money, and may return. */
async function heldNanosOf(client: ClientBase, run: LockedRun, { programs }: OpenTools): Promise<bigint> {
  const programsNanos = worthNanosOf(run, mostOfOpen({ tools: 0, programs })) - worthNanosOf(run);
  const { rows } = await client.query<{ held: string }>(HELD, [run.id]);
  return programsNanos + BigInt(rows[0]!.held);
}

const HELD = `
select coalesce(sum(held_nanos), 0) as held from runs where parent_run_id = $1 and settled_at is null`;

/**
 * Returns an ended child's unspent money to its parent's hold, as far as it is still free, and counts the child's cost. The caller has
 * locked the parent's row, and does this once.
 */
export async function takeBack(
  client: ClientBase,
  ledger: Pick<Ledger, 'extendRun'>,
  { parent, child }: { parent: LockedRun; child: RunRow },
): Promise<void> {
  assert(isTerminal(child.status), 'only an ended run gives back');
  const restNanos = BigInt(child.held_nanos) - BigInt(child.total_nanos);
  const addedNanos = restNanos > 0n ? await ledger.extendRun(client, parent.hold_id, restNanos) : 0n;
  await client.query(TAKE_BACK, [parent.id, addedNanos, spentNanosOf(child)]);
}

const TAKE_BACK = 'update runs set held_nanos = held_nanos + $2, children_nanos = children_nanos + $3 where id = $1';
