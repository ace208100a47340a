import { Client } from 'pg';
import { newId } from '../../db/ids.ts';
import { ownerUrlOf } from './database.ts';

/** An ended call of a test, with what differs from the others. */
export interface PastCall {
  at: string;
  keyId: string;
  workspaceId: string;
  model?: string;
  product?: string;
  status?: number;
  cancelled?: boolean;
  costNanos?: number;
  durationMs?: number;
  firstByteMs?: number | null;
  upstream?: string | null;
  usage?: Record<string, number>;
}

/** Stores calls as if they had ended at their times. Returns their ids, in order. */
export async function storeCalls(databaseUrl: string, calls: PastCall[]): Promise<string[]> {
  const rows = calls.map((call) => ({ id: newId('req'), ...CALL, ...call }));
  await withOwner(databaseUrl, (owner) => owner.query(STORE, [JSON.stringify(rows)]));
  return rows.map(({ id }) => id);
}

/** A refused call of a test; with the id of a stored call, the reason why that failed. */
export interface PastRefusal extends Pick<PastCall, 'at' | 'keyId' | 'workspaceId'> {
  id?: string;
  model?: string | null;
  route?: string;
  status?: number;
  code?: string;
  calls?: number;
}

/** Stores refusals as if they had been answered at their times, for a week. Returns their ids, in order. */
export async function storeRefusals(databaseUrl: string, refusals: PastRefusal[]): Promise<string[]> {
  const rows = refusals.map((refusal) => ({ id: newId('req'), ...REFUSAL, ...refusal }));
  await withOwner(databaseUrl, (owner) => owner.query(STORE_REFUSALS, [JSON.stringify(rows)]));
  return rows.map(({ id }) => id);
}

/** Gives a key to the member `user_ada`, and the name Ada. */
export async function giveToAda(databaseUrl: string, keyId: string): Promise<void> {
  await withOwner(databaseUrl, (owner) =>
    owner.query(`update api_keys set member_user_id = 'user_ada', name = 'Ada' where id = $1`, [keyId]),
  );
}

/** The day so many days ago (UTC). */
export const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Runs statements as the owner of the tables. */
export async function withOwner<T>(databaseUrl: string, work: (owner: Client) => Promise<T>): Promise<T> {
  const owner = new Client({ connectionString: ownerUrlOf(databaseUrl) });
  await owner.connect();
  try {
    await owner.query('set session_replication_role = replica');
    return await work(owner);
  } finally {
    await owner.end();
  }
}

const CALL = {
  model: 'model-a',
  product: 'text',
  status: 200,
  cancelled: false,
  costNanos: 1_000,
  durationMs: 100,
  firstByteMs: null,
  upstream: null,
  usage: {},
};

const REFUSAL = { model: 'model-a', route: '/v1/chat/completions', status: 429, code: 'rate_limited', calls: 1 };

const STORE = `
insert into requests (id, workspace_id, key_id, route, model, status, cancelled, usage, cost_nanos, written_off_nanos, hold_nanos, started_at,
  first_byte_ms, duration_ms, stream_bytes, product, upstream, settled_at)
select c.id, c."workspaceId", c."keyId", '/v1/chat/completions', c.model, c.status, c.cancelled, c.usage, c."costNanos", 0, 0, c.at,
  c."firstByteMs", c."durationMs", 0, c.product, c.upstream, c.at
from jsonb_to_recordset($1::jsonb) c (id text, "workspaceId" text, "keyId" text, model text, status int, cancelled boolean, usage jsonb,
  "costNanos" bigint, at timestamptz, "firstByteMs" int, "durationMs" int, product text, upstream text)`;

const STORE_REFUSALS = `
insert into refused_calls (id, workspace_id, key_id, route, model, status, code, message, duration_ms, calls, created_at, expires_at)
select c.id, c."workspaceId", c."keyId", c.route, c.model, c.status, c.code, 'Refused.', 1, c.calls, c.at, c.at + interval '7 days'
from jsonb_to_recordset($1::jsonb) c (id text, "workspaceId" text, "keyId" text, route text, model text, status int, code text, calls int,
  at timestamptz)`;
