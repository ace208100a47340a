import assert from 'node:assert/strict';
import type { ClientBase, PoolClient } from 'pg';
import type { ResponseFormat, Pricing } from '../entities/agentJson.ts';
import type { ResolvedAgent } from '../agents/publicAgents.ts';
import type { RunHoldOrder } from '../ledger/runHolds.ts';
import { readFiles, type StoredFile } from '../files/files.ts';
import type { Spender } from '../ledger/ledger.ts';
import { nanosOfUsd } from '../money.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { Rows, RowsOfAll } from '../postgres/rows.ts';
import { attachInputFiles } from '../sessions/addEntries.ts';
import { insertState } from '../sessions/sessionState.ts';
import { worthNanosOf } from './cost/runCost.ts';
import { appendEvents } from '../events/appendEvents.ts';
import { copySteps, type RerunOrder } from './steps/rerunSteps.ts';
import { enterSession, newPlaceOf, opensSession, type Place } from './enterSession.ts';
import { firstEvents } from './firstEvents.ts';
import { enterFlow, hasToWait, takePlaces } from './flow/enterFlow.ts';
import type { NewFlow } from './flow/lanes.ts';
import { fileIdsOf } from './runInput.ts';
import { RunRefused } from './runRefused.ts';
import type { RunRow, InputItem, RunStore } from './runRow.ts';

/**
 * A created run, the runs cancelled for it, and other waiting runs that may start: their workflows must be notified. `nextMs`: the time
 * until a run that waits for a time may start.
 */
interface CreatedRun {
  run: RunRow;
  interrupted: RunRow[];
  admitted: RunRow[];
  nextMs: number | undefined;
}

/**
 * Creates a run with its session, its hold and its first events in one transaction. Throws `RunRefused`, `StorageRefused` for a file that
 * is missing or does not fit, and `HoldRefused` when the money is missing. An existing run of that id is returned unchanged.
 */
export async function createRun(
  { pool, write, ledger }: RunStore & Pick<RowsOfAll, 'write'>,
  order: NewRun,
): Promise<CreatedRun> {
  try {
    return await ledger.holdRunPatiently(order.key.accountId, async (client, hold) => {
      const entry = order.flow && (await enterFlow(client, ledger, { ...order, flow: order.flow }));
      const entering = enterSession(client, ledger, order);
      // A new session needs no lock: the statements until the hold are sent together. Others lock the session before the account.
      const place = opensSession(order) ? newPlaceOf(order) : await entering;
      const fileIds = fileIdsOf(order.input);
      if (fileIds.length > 0) {
        await entering;
        const tx = await write(order.key.workspaceId).within(client);
        await attachInputFiles(tx, { sessionId: place.sessionId, fileIds });
      }
      if (order.state) {
        await entering;
        await insertState(client, { ...place, workspaceId: order.key.workspaceId, state: order.state });
      }
      const heldNanos = await reserve(client, hold, { order, place, entering });
      const written = await insertRun(
        client,
        { ...order, ...entry },
        { ...place, holdId: holdIdOf(order.id), heldNanos },
      );
      const turn = entry && (await takePlaces(client, written, { flow: order.flow!, since: entry.since }));
      const row = turn?.admitted.find(({ id }) => id === written.id) ?? written;
      if (order.rerun) await copySteps(client, row, order.rerun);
      const { sequence } = await appendEvents(client, row.id, firstEvents(row));
      const admitted = turn?.admitted.filter((one) => one !== row) ?? [];
      return {
        run: { ...row, last_sequence: sequence },
        interrupted: place.interrupted,
        admitted,
        nextMs: turn?.nextMs,
      };
    });
  } catch (error) {
    // A retry after a crash finds the run of the first try: its session is busy with it, or its hold exists.
    const { rows } = await pool.query<RunRow>('select * from runs where id = $1', [order.id]);
    if (rows[0]) return { run: rows[0], interrupted: [], admitted: [], nextMs: undefined };
    throw error;
  }
}

interface Reservation {
  order: NewRun;
  place: Place;
  entering: Promise<unknown>;
}

/** Places the hold of a new run. Statements that do not depend on each other are sent together; their refusals keep their order. */
async function reserve(
  client: PoolClient,
  hold: (order: RunHoldOrder) => Promise<bigint>,
  { order, place, entering }: Reservation,
): Promise<bigint> {
  const counting = refuseTooMany(client, order);
  if (order.fund || order.rerun) await firstRefusal([entering, counting]);
  await order.fund?.(client);
  const wantNanos = order.maxCostNanos;
  const needNanos = unbilledNanosOf(order, place) + 1n;
  const holding = hold({ holdId: holdIdOf(order.id), keyId: order.key.keyId, wantNanos, needNanos });
  await firstRefusal([entering, counting, holding]);
  const heldNanos = await holding;
  assert(heldNanos >= needNanos && heldNanos <= wantNanos, 'a hold is within its order');
  return heldNanos;
}

/** Waits for all, and throws the error of the first one in this order that failed. */
async function firstRefusal(all: Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(all)) if (one.status === 'rejected') throw one.reason;
}

// Unbilled steps are paid in full: a limit below their value, or a cheaper version, would sell them for less.
function unbilledNanosOf({ agent, pricing, maxCostNanos }: NewRun, { unbilled }: Pick<Place, 'unbilled'>): bigint {
  if (!unbilled) return 0n;
  const costNanos = worthNanosOf({ rate_card: pricing, meters: unbilled.meters });
  if (agent.versionId !== unbilled.version_id && costNanos < worthNanosOf(unbilled))
    throw new RunRefused({ reason: 'reused_steps_cheaper' });
  if (costNanos >= maxCostNanos) throw new RunRefused({ reason: 'reused_steps_cost', costNanos });
  return costNanos;
}

// One run, one hold: the database refuses the same id again.
export const holdIdOf = (runId: string) => runId.replace(/^run_/, 'hold_');

// The account's lock makes the count exact: other new runs of this workspace wait for it.
export async function refuseTooMany(
  client: ClientBase,
  { key, openRunsMax }: Pick<NewRun, 'key' | 'openRunsMax'>,
): Promise<void> {
  const values = [key.accountId];
  const [, { rows }] = await Promise.all([
    client.query({ name: 'accounts_lock', text: LOCK_ACCOUNT, values }),
    client.query({ name: 'holds_count_runs', text: COUNT_OPEN, values }),
  ]);
  if (rows[0].open >= openRunsMax) throw new RunRefused({ reason: 'too_many_runs', openRunsMax });
}

const LOCK_ACCOUNT = 'select from accounts where id = $1 for update';

// An open run has an open hold, and holds have the index for it.
const COUNT_OPEN = `select count(*)::int as open from holds where account_id = $1 and state = 'open' and kind = 'run'`;

/** The requested run, and who pays. Amounts in nano-USD. */
export interface NewRun {
  /** Chosen by the caller: a second call with the same id creates nothing. */
  id: string;
  key: Spender;
  agent: ResolvedAgent;
  pricing: Pricing;
  /** Called once the account is locked, before the hold: whatever it adds belongs to this run, however many are created at once. */
  fund?: (client: Queryable) => Promise<void>;
  /** Rules replace the agent's model. */
  isRehearsed: boolean;
  visibility: 'public' | 'private';
  /** Null: a new session; for a rerun, a copy of the repeated run's. */
  sessionId: string | null;
  /** Set for a run that reuses the first steps of another run. */
  rerun?: RerunOrder;
  /** Set for a run that a step of another run starts. */
  parent?: { runId: string; step: number; depth: number };
  input: string | InputItem[];
  /** The output schema ordered by the caller. */
  responseFormat: ResponseFormat | null;
  maxCostNanos: bigint;
  onLimit: 'stop' | 'pause';
  onDisconnect: 'continue' | 'cancel';
  ifSessionBusy: 'reject' | 'enqueue' | 'interrupt';
  /** Seconds by which it goes ahead of other waiting runs; none when left out. */
  priority?: number;
  /** Its places among the workspace's runs, if it takes any. */
  flow?: NewFlow | undefined;
  timeoutSeconds: number;
  startAfterSeconds: number;
  source: string;
  metadata: Record<string, string>;
  /** The end user for whom the agent remembers; and the state of a new session. */
  endUser?: string | null;
  state?: Record<string, unknown> | undefined;
  webhookUrl: string | null;
  webhookEvents: string[] | null;
  /** How many runs of the workspace may be open at once. */
  openRunsMax: number;
}

// Raw: a prepared statement. Through the entity manager the creation of a run took twice as long (measured, interleaved).
/** Writes the row of a new run, within the transaction that placed its hold. */
export async function insertRun(
  client: ClientBase,
  order: NewRun,
  place: Omit<Place, 'interrupted'> & { holdId: string; heldNanos: bigint },
): Promise<RunRow> {
  const { key, agent, pricing } = order;
  const isHeld = order.flow !== undefined && hasToWait(order.flow);
  const values = {
    id: order.id,
    workspace_id: key.workspaceId,
    key_id: key.keyId,
    no_retention: key.noRetention ?? false,
    account_id: key.accountId,
    publisher_workspace_id: agent.publisherWorkspaceId,
    agent_id: agent.agentId,
    agent: agent.agent,
    agent_name: agent.agentName,
    version_id: agent.versionId,
    version: agent.version,
    session_id: place.sessionId,
    visibility: order.visibility,
    input: JSON.stringify(order.input),
    response_format: order.responseFormat && JSON.stringify(order.responseFormat),
    on_limit: order.onLimit,
    on_disconnect: order.onDisconnect,
    if_session_busy: order.ifSessionBusy,
    waiting: place.waiting || isHeld,
    priority: order.priority ?? 0,
    flow: isHeld ? JSON.stringify(order.flow!.sent) : null,
    timeout_seconds: order.timeoutSeconds,
    source: order.source,
    metadata: JSON.stringify(order.metadata),
    end_user: order.endUser ?? null,
    webhook_url: order.webhookUrl,
    webhook_events: order.webhookEvents,
    rate_card: JSON.stringify(pricing),
    max_cost_nanos: order.maxCostNanos,
    minimum_cost_nanos: nanosOfUsd(pricing.minimum_cost_usd),
    hold_id: place.holdId,
    held_nanos: place.heldNanos,
    output: JSON.stringify(place.output),
    rerun_of: order.rerun?.runId ?? null,
    rerun_from_step: order.rerun?.fromStep ?? null,
    reuses_unbilled: place.unbilled !== null,
    parent_run_id: order.parent?.runId ?? null,
    parent_step: order.parent?.step ?? null,
    depth: order.parent?.depth ?? 0,
    rehearsed: order.isRehearsed,
  };
  const names = Object.keys(values);
  const { rows } = await client.query<RunRow>({
    name: 'runs_insert',
    text: `insert into runs (${names.join(', ')}, project_id, created_at, start_at)
      values (${names.map((_, at) => `$${at + 1}`).join(', ')}, (select project_id from holds where id = $${names.indexOf('hold_id') + 1}), ledger_now($2), ledger_now($2) + $${names.length + 1} * interval '1 second') returning *`,
    values: [...Object.values(values), order.startAfterSeconds],
  });
  return rows[0]!;
}

/** The input that an agent must accept: those of the ids that are files of the workspace, by id. Files that it cannot see are missing. */
export async function findInputFiles(rows: Rows, fileIds: string[]): Promise<Map<string, StoredFile>> {
  const files = await rows.statement((tx) => readFiles(tx, fileIds));
  return new Map(files.map((file) => [file.id, file]));
}
