import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import { hashKeySecret, newKeySecret, prefixOf } from './keySecret.ts';
import type { Notices } from '../postgres/notices.ts';
import type { Queryable } from '../postgres/queryable.ts';

/** What a new key may do. Amounts in nano-USD; null limits mean the default tier, a null ceiling none. */
export interface NewKey {
  workspaceId: string;
  name: string;
  scopes: string[];
  spendLimitNanos?: bigint | null;
  spendLimitPeriod?: 'daily' | 'monthly' | null;
  rpmLimit?: number | null;
  concurrencyLimit?: number | null;
  /** A secret that was agreed elsewhere, instead of a new one. */
  secret?: string;
}

/** Makes a key. `secret` is shown this once: only its hash is stored. */
export async function createKey(pool: Queryable, key: NewKey): Promise<{ id: string; secret: string }> {
  const id = newId('key');
  const secret = key.secret ?? newKeySecret();
  const { rowCount } = await pool.query(
    `insert into api_keys (id, workspace_id, account_id, name, hash, prefix, scopes, spend_limit_nanos, spend_limit_period, rpm_limit, concurrency_limit)
     select $1, $2, a.id, $3, $4, $5, $6, $7, $8, $9, $10 from accounts a where a.workspace_id = $2`,
    [id, key.workspaceId, key.name, Buffer.from(hashKeySecret(secret), 'hex'), prefixOf(secret), key.scopes,
      key.spendLimitNanos ?? null, key.spendLimitPeriod ?? null, key.rpmLimit ?? null, key.concurrencyLimit ?? null], // prettier-ignore
  );
  if (rowCount === 0) throw new Error(`no such workspace: ${key.workspaceId}`);
  return { id, secret };
}

/**
 * Revokes a key, everywhere within a second; the sweep cancels its runs, but for those that work when `keepsRuns`. False: it does not exist
 * in the workspace, or was revoked before.
 */
export async function revokeKey(
  { pool, notices }: { pool: Pool; notices: Notices },
  keyId: string,
  { keepsRuns = false } = {},
): Promise<boolean> {
  const { rows } = await pool.query(
    'update api_keys set revoked_at = now(), keeps_runs = $2 where id = $1 and revoked_at is null returning hash',
    [keyId, keepsRuns],
  );
  if (!rows[0]) return false;
  await notices.send(pool, { kind: 'key', hash: rows[0].hash.toString('hex') });
  return true;
}

/** Whether a key with this secret was ever made, revoked ones included. */
export async function isKnownSecret(pool: Queryable, secret: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from api_keys where hash = $1', [
    Buffer.from(hashKeySecret(secret), 'hex'),
  ]);
  return rowCount === 1;
}

/** A key as an operator finds it. */
export interface FoundKey {
  id: string;
  prefix: string;
  name: string;
  workspaceId: string;
  revokedAt: Date | null;
}

/** The key with that id, else all keys whose shown part begins so: it is not unique. */
export async function findKeysNamed(pool: Queryable, idOrPrefix: string): Promise<FoundKey[]> {
  const { rows } = await pool.query<FoundKey>(
    `select id, prefix, name, workspace_id as "workspaceId", revoked_at as "revokedAt" from api_keys
     where id = $1 or starts_with(prefix, $1) order by created_at, id`,
    [idOrPrefix],
  );
  return rows;
}
