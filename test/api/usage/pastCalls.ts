import { Client } from 'pg';
import { ownerUrlOf } from '../../support/database.ts';

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
  usage?: Record<string, number>;
}

/** Stores calls as if they had ended at their times. Returns their ids, in order. */
export async function storeCalls(databaseUrl: string, calls: PastCall[]): Promise<string[]> {
  const ids = calls.map((_, at) => `req_past${Date.now().toString(36)}${String(at).padStart(5, '0')}`);
  const rows = calls.map((call, at) => ({ id: ids[at], ...DEFAULTS, ...call }));
  await withOwner(databaseUrl, (owner) => owner.query(STORE, [JSON.stringify(rows)]));
  return ids;
}

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

const DEFAULTS = {
  model: 'model-a',
  product: 'text',
  status: 200,
  cancelled: false,
  costNanos: 1_000,
  durationMs: 100,
  firstByteMs: null,
  usage: {},
};

const STORE = `
insert into requests (id, workspace_id, key_id, route, model, status, cancelled, usage, cost_nanos, written_off_nanos, hold_nanos, started_at,
  first_byte_ms, duration_ms, stream_bytes, product, settled_at)
select c.id, c."workspaceId", c."keyId", '/v1/chat/completions', c.model, c.status, c.cancelled, c.usage, c."costNanos", 0, 0, c.at,
  c."firstByteMs", c."durationMs", 0, c.product, c.at
from jsonb_to_recordset($1::jsonb) c (id text, "workspaceId" text, "keyId" text, model text, status int, cancelled boolean, usage jsonb,
  "costNanos" bigint, at timestamptz, "firstByteMs" int, "durationMs" int, product text)`;
