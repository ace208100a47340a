import { containing } from '../postgres/likePattern.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { Rows } from '../postgres/rows.ts';

/** A workspace in the operators' list. `spendMonthNanos` is of the current UTC month. */
export interface WorkspaceFigures {
  id: string;
  name: string;
  createdAt: Date;
  spendMonthNanos: bigint;
  /** Keys that are neither revoked nor a member's own. */
  keys: number;
  members: number;
  lastUsedAt: Date | null;
}

/** Live workspaces, newest first: all, the workspace with this id, or those with this text in their names. */
export function listWorkspaceFigures(
  everywhere: Rows<undefined>,
  query: string | undefined,
  page: PageQuery,
): Promise<{ rows: WorkspaceFigures[]; hasMore: boolean }> {
  return everywhere.transaction(async (tx) => {
    const named = query === undefined ? {} : { $or: [{ id: query }, { name: { $ilike: containing(query) } }] };
    const where = { liveWorkspaceId: null, ...named };
    const { rows, hasMore } = await readPage(tx, tx.Workspace, where, page);
    const found = await tx.client.query<Figures>(FIGURES, [rows.map(({ id }) => id)]);
    const byId = new Map(found.rows.map((row) => [row.id, row]));
    const listed = rows.map(({ id, name, createdAt }) => {
      const { spent, keys, members, used } = byId.get(id)!;
      return { id, name, createdAt, spendMonthNanos: BigInt(spent), keys, members, lastUsedAt: used };
    });
    return { rows: listed, hasMore };
  });
}

interface Figures {
  id: string;
  spent: string;
  keys: number;
  members: number;
  used: Date | null;
}

// Raw: sums of three tables for each workspace of a page.
const FIGURES = `
select w.id, (select coalesce(sum(d.spent_nanos), 0) from key_days d join api_keys k on k.id = d.key_id
    where k.workspace_id = w.id and d.day >= date_trunc('month', now() at time zone 'utc')) as spent,
  (select count(*)::int from api_keys k where k.workspace_id = w.id and k.revoked_at is null and k.member_user_id is null) as keys,
  (select count(*)::int from members m where m.workspace_id = w.id) as members,
  (select max(k.last_used_at) from api_keys k where k.workspace_id = w.id) as used
from workspaces w where w.id = any($1)`;
