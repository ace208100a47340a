import type { LazyOrm } from '../postgres/lazyOrm.ts';
import { inWorkspace } from '../postgres/tenant.ts';

/** An account's money in nano-USD: what is settled, and what of it is set aside for calls that run or are about to. */
export interface Balance {
  postedNanos: bigint;
  heldNanos: bigint;
}

/** The balance of a workspace, of one moment. */
export async function findBalance(orm: LazyOrm, workspaceId: string): Promise<Balance> {
  const [row] = await inWorkspace(orm, workspaceId, (em) =>
    em.execute<{ posted: string; held: string }[]>(BALANCE, [workspaceId]),
  );
  if (!row) throw new Error(`no account for workspace ${workspaceId}`);
  return { postedNanos: BigInt(row.posted), heldNanos: BigInt(row.held) };
}

// One statement: two would see two moments, and a settlement between them.
const BALANCE = `
select a.posted_nanos as posted,
  (select coalesce(sum(h.amount_nanos), 0) from holds h where h.account_id = a.id and h.state = 'open') as held
from accounts a where a.workspace_id = ?`;
