import { nanosOfUsd } from '../../db/money.ts';
import { createKey, type NewKey } from '../../db/keys/keyStore.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { openTestWorkspace } from '../../db/testMode/testMode.ts';
import { createWorkspace } from '../../db/workspaces/workspaces.ts';

/** A workspace with credit and a key; the limits have no effect unless a test sets them. */
export async function makeAccount(
  db: Pick<Database, 'pool' | 'ledger' | 'everywhere'>,
  {
    creditUsd = '10',
    balanceNanos = nanosOfUsd(creditUsd),
    isTest = false,
    ...key
  }: Partial<NewKey> & { creditUsd?: string; balanceNanos?: bigint; isTest?: boolean } = {},
) {
  const liveId = await createWorkspace(db.everywhere, 'test');
  const workspaceId = isTest ? await openTestWorkspace(db.everywhere, liveId) : liveId;
  if (balanceNanos > 0n) {
    await db.ledger.transfer({
      kind: 'topup',
      subject: newId('test'),
      workspaceId,
      houseAccountId: 'payments',
      amountNanos: balanceNanos,
    });
  }
  const { id: keyId, secret } = await createKey(db.everywhere, {
    workspaceId,
    name: 'test',
    scopes: ['llm', 'voice', 'batch'],
    rpmLimit: 1_000_000,
    concurrencyLimit: 1_000,
    ...key,
  });
  const { rows } = await db.pool.query('select id from accounts where workspace_id = $1', [workspaceId]);
  return { workspaceId, keyId, secret, accountId: rows[0].id as string };
}

/** The posted balance of a workspace, in nano-USD. */
export async function balanceOf(db: Pick<Database, 'pool' | 'ledger'>, workspaceId: string): Promise<bigint> {
  await db.ledger.posted();
  const { rows } = await db.pool.query('select posted_nanos from accounts where workspace_id = $1', [workspaceId]);
  return BigInt(rows[0].posted_nanos);
}
