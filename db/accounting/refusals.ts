import { storableBeginning } from '../../base/json.ts';
import { withoutSecrets } from '../../base/log.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { createWriteBehind } from '../postgres/writeBehind.ts';

/** Refusals of this period are written in one statement; no answer waits for it. */
const WINDOW_MS = 250;
const RETRY_MS = 2_000;
const MINUTE_MS = 60_000;
/** A key's refusals per minute stored as rows; further ones are counted, by code. */
const KEPT_PER_MINUTE = 30;
const CODES_PER_MINUTE = 20;
const OTHER_CODES = 'other';
// While the database is down, refusals beyond this number are dropped.
const PENDING_MAX = 5_000;
const MESSAGE_CHARS_MAX = 500;
const NAME_CHARS_MAX = 200;

/** How long a refused call is kept. */
export const REFUSAL_DAYS = 7;

/** Why a call was refused. The request's content is not stored. */
export interface Refusal {
  id: string;
  workspaceId: string;
  keyId: string;
  route: string;
  model: string | null;
  status: number;
  code: string;
  message: string;
  durationMs: number;
}

type Pending = Refusal & { calls: number; atMs: number };

/** A key's refusals in the current minute. */
interface Counted {
  kept: number;
  /** The row that counts further refusals with this code. */
  rowIds: Map<string, string>;
}

export type Refusals = ReturnType<typeof createRefusals>;

/** Stores refused calls: a few for each key and minute, and the count of the others. `nowMs` is the clock of minutes. */
export function createRefusals({
  pool,
  onError,
  nowMs = Date.now,
}: {
  pool: Queryable;
  onError: (error: unknown) => void;
  nowMs?: () => number;
}) {
  let pending = new Map<string, Pending>();
  let minute = 0;
  const byKey = new Map<string, Counted>();
  const behind = createWriteBehind({ write, windowMs: WINDOW_MS, retryMs: RETRY_MS, onError });

  /** Stores a refusal, or counts it. After the end it is dropped. */
  function keep(refusal: Refusal): void {
    if (behind.hasEnded()) return;
    const counted = countedOf(refusal.keyId);
    if (counted.kept < KEPT_PER_MINUTE) {
      counted.kept += 1;
      add(refusal.id, refusal);
    } else {
      const code =
        counted.rowIds.size < CODES_PER_MINUTE || counted.rowIds.has(refusal.code) ? refusal.code : OTHER_CODES;
      const rowId = counted.rowIds.get(code) ?? refusal.id;
      counted.rowIds.set(code, rowId);
      add(rowId, { ...refusal, code });
    }
    behind.soon();
  }

  function countedOf(keyId: string): Counted {
    const present = Math.floor(nowMs() / MINUTE_MS);
    if (present !== minute) byKey.clear();
    minute = present;
    let counted = byKey.get(keyId);
    if (!counted) byKey.set(keyId, (counted = { kept: 0, rowIds: new Map() }));
    return counted;
  }

  function add(rowId: string, refusal: Refusal): void {
    const before = pending.get(rowId);
    if (before) before.calls += 1;
    else if (pending.size < PENDING_MAX)
      pending.set(rowId, { ...stored(refusal), id: rowId, calls: 1, atMs: performance.now() });
  }

  async function write(): Promise<void> {
    if (pending.size === 0) return;
    const batch = pending;
    pending = new Map();
    try {
      await pool.query(statementOf([...batch.values()]));
    } catch (error) {
      waitAgain(batch);
      throw error;
    }
  }

  function waitAgain(batch: Map<string, Pending>): void {
    for (const [id, refusal] of batch) {
      const since = pending.get(id);
      if (since) since.calls += refusal.calls;
      else if (pending.size < PENDING_MAX) pending.set(id, refusal);
    }
  }

  return {
    keep,
    /** Resolves when all refusals kept by this process are written, or have failed to be. */
    written: behind.flush,
    close: behind.end,
  };
}

/** What is stored of it: the beginnings of its texts, without keys that its caller put into them. */
const stored = (refusal: Refusal): Refusal => ({
  ...refusal,
  route: storableBeginning(withoutSecrets(refusal.route), NAME_CHARS_MAX),
  model: refusal.model && storableBeginning(withoutSecrets(refusal.model), NAME_CHARS_MAX),
  code: storableBeginning(refusal.code, NAME_CHARS_MAX),
  message: storableBeginning(withoutSecrets(refusal.message), MESSAGE_CHARS_MAX),
});

function statementOf(batch: Pending[]) {
  const nowMs = performance.now();
  const columns = [
    batch.map(({ id }) => id),
    batch.map(({ workspaceId }) => workspaceId),
    batch.map(({ keyId }) => keyId),
    batch.map(({ route }) => route),
    batch.map(({ model }) => model),
    batch.map(({ status }) => status),
    batch.map(({ code }) => code),
    batch.map(({ message }) => message),
    batch.map(({ durationMs }) => durationMs),
    batch.map(({ calls }) => calls),
    batch.map(({ atMs }) => Math.round(nowMs - atMs)),
  ];
  return { name: 'refused_calls_keep', text: KEEP, values: columns };
}

/** Deletes refusals that have expired. Returns how many. */
export const pruneRefusals = (client: Queryable): Promise<number> =>
  deleteInPortions(client, 'refused_calls', 'expires_at < now()');

// Raw: one prepared statement writes the refusals of a period, beside the answers of calls.
const KEEP = `
insert into refused_calls (id, workspace_id, key_id, route, model, status, code, message, duration_ms, calls, project_id, created_at, expires_at)
select r.id, r.workspace_id, r.key_id, r.route, r.model, r.status, r.code, r.message, r.duration_ms, r.calls,
  (select k.project_id from api_keys k where k.id = r.key_id),
  ledger_now(r.workspace_id) - r.age_ms * interval '1 millisecond', ledger_now(r.workspace_id) + interval '${REFUSAL_DAYS} days'
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::int[], $10::int[], $11::int[])
  r (id, workspace_id, key_id, route, model, status, code, message, duration_ms, calls, age_ms)
on conflict (id) do update set calls = refused_calls.calls + excluded.calls`;
