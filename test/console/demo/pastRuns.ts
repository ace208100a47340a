import type { Client } from 'pg';
import { idAt, type Chance } from './chance.ts';
import type { Run } from './runs.ts';

const DAY_MS = 86_400_000;
// What was said in a run is kept for thirty days.
const RUN_DAYS = 27;

// Where the rows of a run are, and how they name it.
const TABLES = {
  runs: 'id',
  run_steps: 'run_id',
  run_meters: 'run_id',
  run_usage: 'run_id',
  run_events: 'run_id',
  run_feedback: 'run_id',
  holds: 'id',
  ledger_legs: 'subject',
} as const;

type Row = Record<string, unknown>;

// How often a run is repeated, by its ending: most runs go well.
const WEIGHTS: Record<string, number> = { completed: 8, failed: 2, limit_reached: 1, cancelled: 1 };

/** Repeats ended runs in the past days, with their steps, events, costs and earnings. Only within `rewriteLedger`. */
export async function repeatRuns(
  owner: Client,
  runs: Run[],
  { count, untilMs, chance }: { count: number; untilMs: number; chance: Chance },
): Promise<void> {
  const originals: [Record<string, Row[]>, number][] = [];
  for (const { id } of runs) {
    const rows = await readRun(owner, id);
    originals.push([rows, WEIGHTS[String(rows.runs![0]!.status)]!]);
  }
  const copies: Record<string, Row[]> = {};
  for (let at = 0; at < count; at += 1) {
    const agoMs = RUN_DAYS * DAY_MS * (1 - Math.sqrt(chance.next())) + 3_600_000;
    const copy = copyOf(chance.weighted(originals), agoMs, untilMs, chance);
    for (const [table, rows] of Object.entries(copy)) (copies[table] ??= []).push(...rows);
  }
  for (const [table, rows] of Object.entries(copies)) {
    const columns = Object.keys(rows[0]!).map((name) => `"${name}"`);
    await owner.query(
      `insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
  }
}

async function readRun(owner: Client, id: string): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  for (const [table, column] of Object.entries(TABLES)) {
    const wanted = table === 'holds' ? '(select hold_id from runs where id = $1)' : '$1';
    const sql = `select to_jsonb(t) as row from ${table} t where ${column} = ${wanted}`;
    found[table] = (await owner.query<{ row: Row }>(sql, [id])).rows.map(({ row }) => row);
  }
  return found;
}

const OWN_ID = /\b(run|hold|step|evt|msg)_[0-9a-z]{8}[0-9A-Za-z]{14}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:\+00:00|Z)/g;

/** The same run at another time: its own ids and all of its times are replaced. */
function copyOf(original: Record<string, Row[]>, agoMs: number, untilMs: number, chance: Chance) {
  const [run] = original.runs!;
  const [beganMs, pace] = [Date.parse(String(run!.created_at)), chance.spread(1.4, 0.5)];
  const moved = (time: string) => new Date(untilMs - agoMs + (Date.parse(time) - beganMs) * pace).toISOString();
  const ids = new Map<string, string>();
  const renamed = (id: string, prefix: string) => {
    if (!ids.has(id)) ids.set(id, idAt(prefix, untilMs - agoMs, chance));
    return ids.get(id)!;
  };
  const text = JSON.stringify(original).replaceAll(OWN_ID, renamed).replaceAll(TIME, moved);
  const copy = JSON.parse(text) as Record<string, Row[]>;
  // What its caller pays and what its publisher earns are a transaction each.
  const transactions = [...new Set(copy.ledger_legs!.map((entry) => entry.transaction_id))];
  const before = -Math.floor(chance.next() * 1e12) * (transactions.length + 1);
  for (const entry of copy.ledger_legs!) {
    const transaction = before - 1 - transactions.indexOf(entry.transaction_id);
    Object.assign(entry, { transaction_id: transaction, sequence: null, hash: null });
  }
  for (const hold of copy.holds!) hold.day = new Date(untilMs - agoMs).toISOString().slice(0, 10);
  for (const row of copy.runs!) Object.assign(row, { rerun_of: null, rerun_from_step: null });
  return copy;
}
