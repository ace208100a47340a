import { newId } from '../ids.ts';
import { createKey } from '../keys/keyStore.ts';
import type { Ledger, Spender } from '../ledger.ts';
import type { Queryable } from '../postgres/queryable.ts';

const KEY_NAME = 'review trials';

/** Gives the platform's own workspace the key that trials of a review are run with. Nobody knows its secret. */
export async function createReviewerKey(client: Queryable, workspaceId: string): Promise<void> {
  await createKey(client, { workspaceId, name: KEY_NAME, scopes: ['agents'] });
}

/** Who runs, and pays for, the trials of reviews: the workspace of the agents that come with the platform. */
export async function findReviewer(pool: Queryable): Promise<Spender> {
  const { rows } = await pool.query<Spender>(REVIEWER, [KEY_NAME]);
  if (!rows[0]) throw new Error('the platform has no workspace to review with: run the bootstrap');
  return rows[0];
}

const REVIEWER = `
select k.workspace_id as "workspaceId", k.account_id as "accountId", k.id as "keyId"
from namespaces n join api_keys k on k.workspace_id = n.workspace_id
where n.name = 'ledgerline' and k.name = $1 and k.revoked_at is null order by k.created_at limit 1`;

/** Sees to it that a trial can be paid: what its account lacks is moved there from the platform's adjustments. */
export async function fundTrial(
  { pool, ledger }: { pool: Queryable; ledger: Pick<Ledger, 'transfer'> },
  { reviewer, amountNanos }: { reviewer: Spender; amountNanos: bigint },
): Promise<void> {
  const { rows } = await pool.query(`select (ledger_room($1)).available`, [reviewer.keyId]);
  if (BigInt(rows[0].available) >= amountNanos) return;
  const { workspaceId } = reviewer;
  await ledger.transfer({
    kind: 'adjustment',
    subject: newId('adj'),
    workspaceId,
    houseAccountId: 'adjustments',
    amountNanos,
  });
}
