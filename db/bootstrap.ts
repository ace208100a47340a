import { seedAgents } from './publishing/houseAgents.ts';
import { createKey, isKnownSecret } from './keys/keyStore.ts';
import { postTransfer } from './ledger/balance.ts';
import type { AnyTransaction, Rows } from './postgres/rows.ts';
import { createWorkspace, findFirstWorkspace } from './workspaces/workspaces.ts';

// An arbitrary number: the process that holds this advisory lock creates the first workspace.
const LOCK = 7_212;
const PRODUCT_SCOPES = ['llm', 'voice', 'batch'];

/**
 * Creates the first workspace with a key for every product and some credit (nano-USD), and the platform's own agents, all or nothing. If
 * a workspace exists, it only adds a configured `secret` that is not stored yet. `key` is the secret of a key created by this call,
 * otherwise null. Safe to call at any time, in several processes at once.
 */
export function bootstrap(
  everywhere: Rows<undefined>,
  { secret, creditNanos }: { secret: string | undefined; creditNanos: bigint },
): Promise<{ workspaceId: string; key: string | null }> {
  return everywhere.transaction(async (tx) => {
    await tx.client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const made = await make(tx, secret, creditNanos);
    await seedAgents(tx);
    return made;
  });
}

async function make(tx: AnyTransaction, secret: string | undefined, creditNanos: bigint) {
  const first = await findFirstWorkspace(tx);
  if (first) return { workspaceId: first.id, key: secret === undefined ? null : await addKey(tx, first.id, secret) };
  const workspaceId = await createWorkspace(tx, 'default');
  const key = await createKey(tx, { workspaceId, name: 'default', scopes: PRODUCT_SCOPES, secret });
  if (creditNanos > 0n) await credit(tx, workspaceId, creditNanos);
  return { workspaceId, key: key.secret };
}

async function addKey(tx: AnyTransaction, workspaceId: string, secret: string): Promise<string | null> {
  if (await isKnownSecret(tx, secret)) return null;
  await createKey(tx, { workspaceId, name: 'bootstrap', scopes: PRODUCT_SCOPES, secret });
  return secret;
}

async function credit(tx: AnyTransaction, workspaceId: string, amountNanos: bigint): Promise<void> {
  const subject = `bootstrap ${workspaceId}`;
  await postTransfer(tx.client, {
    kind: 'adjustment',
    subject,
    workspaceId,
    houseAccountId: 'adjustments',
    amountNanos,
  });
}
