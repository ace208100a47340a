import type { Pool, PoolClient } from 'pg';
import { seedAgents } from './agents/houseAgents.ts';
import { createKey, isKnownSecret } from './keys/keyStore.ts';
import { postTransfer } from './ledger/balance.ts';
import { createWorkspace, findFirstWorkspace } from './workspaces.ts';

// Any number: the process that holds this advisory lock creates the first workspace.
const LOCK = 7_212;
const PRODUCT_SCOPES = ['llm', 'voice', 'batch'];

/**
 * Makes the first workspace with a key for every product and some credit (nano-USD), and the agents that come with the platform, all or
 * nothing. Where there is a workspace already, only an agreed `secret` that is not known yet is added to it. `key` is the secret of a key made by this call, else null.
 * May be called at any time, by several processes at once.
 */
export async function bootstrap(
  pool: Pool,
  { secret, creditNanos }: { secret: string | undefined; creditNanos: bigint },
): Promise<{ workspaceId: string; key: string | null }> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const made = await make(client, secret, creditNanos);
    await seedAgents(client);
    await client.query('commit');
    client.release();
    return made;
  } catch (error) {
    // Closed, and its transaction with it.
    client.release(true);
    throw error;
  }
}

async function make(client: PoolClient, secret: string | undefined, creditNanos: bigint) {
  const first = await findFirstWorkspace(client);
  if (first)
    return { workspaceId: first.id, key: secret === undefined ? null : await addKey(client, first.id, secret) };
  const workspaceId = await createWorkspace(client, 'default');
  const key = await createKey(client, { workspaceId, name: 'default', scopes: PRODUCT_SCOPES, secret });
  if (creditNanos > 0n) await credit(client, workspaceId, creditNanos);
  return { workspaceId, key: key.secret };
}

async function addKey(client: PoolClient, workspaceId: string, secret: string): Promise<string | null> {
  if (await isKnownSecret(client, secret)) return null;
  await createKey(client, { workspaceId, name: 'bootstrap', scopes: PRODUCT_SCOPES, secret });
  return secret;
}

async function credit(client: PoolClient, workspaceId: string, amountNanos: bigint): Promise<void> {
  const subject = `bootstrap ${workspaceId}`;
  await postTransfer(client, { kind: 'adjustment', subject, workspaceId, houseAccountId: 'adjustments', amountNanos });
}
