import type { Queryable } from '../postgres/queryable.ts';
import { grantableScopes } from './grants.ts';
import { scopesOf, type Role } from './roles.ts';
import { isErasingSql } from '../entities/erasureSql.ts';

/** A person as a member of a workspace, with the rights that they may give to a program there: those of their role that keys have. */
export interface KeyMaker {
  /** The live workspace of the membership. */
  workspaceId: string;
  workspaceName: string;
  role: Role;
  name: string;
  email: string;
  grantable: ReadonlySet<string>;
  /** The projects they are limited to; null: all. */
  projectIds: string[] | null;
}

/** The person in each of their workspaces, but those that will be erased, or in one of them: live, or its test workspace. */
export async function readKeyMakers(
  client: Queryable,
  userId: string,
  { workspaceId = null, isLocked = false }: { workspaceId?: string | null; isLocked?: boolean } = {},
): Promise<KeyMaker[]> {
  const { rows } = await client.query<Found>(isLocked ? `${FIND} for share of m, u` : FIND, [userId, workspaceId]);
  return rows.map(({ isOperator, ...maker }) => ({ ...maker, grantable: rightsOf(maker.role, isOperator) }));
}

type Found = Omit<KeyMaker, 'grantable'> & { isOperator: boolean };

function rightsOf(role: Role, isOperator: boolean): Set<string> {
  const scopes = new Set(scopesOf(role, isOperator));
  return new Set<string>([...grantableScopes({ scopes }), ...(isOperator ? ['operator'] : [])]);
}

// Raw: one statement, which may lock the membership. Keys of operators belong to the platform's own workspace, and to no test workspace.
const FIND = `
select m.workspace_id as "workspaceId", w.name as "workspaceName", m.role, u.name, u.email,
  case when m.role in ('developer', 'publisher') and not t.is_test then m.project_ids end as "projectIds",
  u.is_operator and not t.is_test and exists (select from namespaces n where n.workspace_id = m.workspace_id and n.name = 'ledgerline') as "isOperator"
from members m join users u on u.id = m.user_id join workspaces w on w.id = m.workspace_id
  cross join lateral (select $2::text is not null and $2 <> m.workspace_id as is_test) t
where m.user_id = $1 and ($2::text is null or m.workspace_id = coalesce((select x.live_workspace_id from workspaces x where x.id = $2), $2))
  and not ${isErasingSql('m.workspace_id')}
order by m.created_at, m.id`;
