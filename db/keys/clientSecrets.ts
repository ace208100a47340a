import type { InferEntity } from '@mikro-orm/core';
import type { Pool } from 'pg';
import type { ClientSecret } from '../entities/workspace.ts';
import { newId, randomText } from '../ids.ts';
import { readLiveKey, type Key } from './keys.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Rows } from '../postgres/rows.ts';
import { hashOf } from './keyStore.ts';

/** The prefix of a client secret. OpenAI's browser client works only with this prefix. */
export const CLIENT_SECRET_PREFIX = 'ek_';
const SECRET_LENGTH = 43;

type ClientSecretRow = InferEntity<typeof ClientSecret>;

/** The bounds of a client secret's sessions. Amounts in nano-USD; null: unbounded. */
export type SecretBounds = Pick<
  ClientSecretRow,
  'session' | 'maxSessionSeconds' | 'spendLimitNanos' | 'sessionsMax'
> & { lifetimeSeconds: number };

/** Why a client secret opens no session. */
export type SecretRefusal = 'unknown' | 'expired' | 'used_up' | 'spent';

/** A client secret with its key. */
export interface OpenSecret {
  id: string;
  session: object;
  maxSessionSeconds: number | null;
  /** Also bound by its spend limit, if it has one. */
  key: Key;
}

/** Creates a client secret of a key. Its text is shown only this once: only the hash is stored. */
export async function createClientSecret(
  rows: Rows,
  keyId: string,
  { lifetimeSeconds, ...bounds }: SecretBounds,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = CLIENT_SECRET_PREFIX + randomText(SECRET_LENGTH);
  const { workspaceId } = rows;
  const row = { id: newId('cs'), workspaceId, keyId, hash: hashOf(secret), ...bounds };
  return rows.transaction(async ({ em, client, ClientSecret }) => {
    const { rows: ends } = await client.query<{ at: Date }>(END, [workspaceId, lifetimeSeconds]);
    const expiresAt = ends[0]!.at;
    await em.insert(ClientSecret, { ...row, expiresAt });
    return { secret, expiresAt };
  });
}

const END = 'select ledger_now($1) + make_interval(secs => $2) as at';

/** The client secret with that text, and its key while that is live; otherwise why it opens nothing. Counts nothing. */
export async function findClientSecret(pool: Pool, secret: string): Promise<OpenSecret | SecretRefusal> {
  const { rows } = await pool.query<Found>({ name: 'find_client_secret', text: FIND, values: [hashOf(secret)] });
  const [found] = rows;
  const key = found && (await readLiveKey(pool, found.key_id));
  if (!found || !key) return 'unknown';
  const { id, session, max_session_seconds: maxSessionSeconds } = found;
  const bound = found.is_limited ? { ...key, secretId: id } : key;
  return refusalOf(found) ?? { id, session, maxSessionSeconds, key: bound };
}

interface Found {
  id: string;
  key_id: string;
  session: object;
  max_session_seconds: number | null;
  is_limited: boolean;
  is_expired: boolean;
  is_used_up: boolean;
  is_spent: boolean;
}

function refusalOf(found: Found | undefined): Exclude<SecretRefusal, 'unknown'> | undefined {
  if (found?.is_expired) return 'expired';
  if (found?.is_used_up) return 'used_up';
  return found?.is_spent ? 'spent' : undefined;
}

// Raw: the database's clock decides, and the statement that checks the bounds also counts the session.
const STATE = `id, key_id, session, max_session_seconds, spend_limit_nanos is not null as is_limited, expires_at <= ledger_now(workspace_id) as is_expired,
  coalesce(sessions >= sessions_max, false) as is_used_up, coalesce(spent_nanos >= spend_limit_nanos, false) as is_spent`;
const FIND = `select ${STATE} from client_secrets where hash = $1`;
const BEGIN = `update client_secrets set sessions = sessions + 1 where id = $1 and expires_at > ledger_now(workspace_id)
  and (sessions_max is null or sessions < sessions_max) and (spend_limit_nanos is null or spent_nanos < spend_limit_nanos)`;

/** Counts a session of a client secret: exactly once, however many begin at the same time. Returns why it may not begin. */
export async function beginSession(client: Queryable, id: string): Promise<SecretRefusal | undefined> {
  const { rowCount } = await client.query(BEGIN, [id]);
  if (rowCount === 1) return undefined;
  const { rows } = await client.query<Found>(`select ${STATE} from client_secrets where id = $1`, [id]);
  // Its state may have changed between the two statements: it was used up when it was counted.
  return rows.length === 0 ? 'unknown' : (refusalOf(rows[0]) ?? 'used_up');
}

/** Deletes client secrets a day after they expired: their sessions have ended by then. Returns how many. */
export const pruneClientSecrets = (everywhere: Rows<undefined>): Promise<number> =>
  everywhere.statement(({ client }) =>
    deleteInPortions(client, 'client_secrets', "expires_at < now() - interval '1 day'"),
  );
