import type { InferEntity } from '@mikro-orm/core';
import type { Project } from '../entities/project.ts';
import { announceChange, changesLimit, freeSlices } from '../keys/keyStore.ts';
import { usdTextOf } from '../money.ts';
import type { Rows } from '../postgres/rows.ts';
import { auditOf, type Actor } from '../workspaces/audit.ts';
import { DEFAULT_PROJECT } from '../workspaces/defaultProject.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';

const auditProject = auditOf('project');

/** The most projects of a workspace, archived ones included: none is ever deleted. */
export const PROJECTS_MAX = 500;

type ProjectRow = InferEntity<typeof Project>;
type Limit = Pick<ProjectRow, 'spendLimitNanos' | 'spendLimitPeriod'>;

/** What a person chooses of a project. */
export type ProjectChoice = Pick<ProjectRow, 'name'> & Limit;
export type ProjectChange = Partial<ProjectChoice> & { isArchived?: boolean };

/** A project with its spending in the current UTC day and month, in all, and its live keys. Amounts in nano-USD. */
export interface ProjectState extends ProjectChoice {
  id: string;
  archivedAt: Date | null;
  /** Null for the default project. */
  createdAt: Date | null;
  dailyNanos: bigint;
  monthlyNanos: bigint;
  totalNanos: bigint;
  keys: number;
}

/** The projects that the reader sees: the default one, then the others, the oldest first. A reader limited to projects sees those. */
export const listProjects = (rows: Rows, isLimited: boolean): Promise<ProjectState[]> => read(rows, { isLimited });

/** One project, or undefined. */
export const findProject = async (rows: Rows, id: string, isLimited: boolean): Promise<ProjectState | undefined> =>
  (await read(rows, { id, isLimited }))[0];

async function read(
  rows: Rows,
  { id = null, isLimited }: { id?: string | null; isLimited: boolean },
): Promise<ProjectState[]> {
  const values = [rows.workspaceId, id];
  const parts = isLimited ? OWN : id === DEFAULT_PROJECT ? REST : id === null ? `${REST} union all ${OWN}` : OWN;
  const { rows: found } = await rows.statement(({ client }) =>
    client.query<StateRow>(`${TODAY} select * from (${parts}) s order by s."createdAt" nulls first, s.id`, values),
  );
  return found.map(({ limit, daily, monthly, total, ...row }) => ({
    ...row,
    spendLimitNanos: limit === null ? null : BigInt(limit),
    dailyNanos: BigInt(daily),
    monthlyNanos: BigInt(monthly),
    totalNanos: BigInt(total),
  }));
}

interface StateRow extends Omit<ProjectState, 'spendLimitNanos' | 'dailyNanos' | 'monthlyNanos' | 'totalNanos'> {
  limit: string | null;
  daily: string;
  monthly: string;
  total: string;
}

// Raw: sums over days beside each project. What belongs to the default project is what the others leave.
const TODAY = `with t as (select (ledger_now($1) at time zone 'utc')::date as today, date_trunc('month', ledger_now($1) at time zone 'utc')::date as first)`;
const LIVE = `k.workspace_id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > ledger_now($1)) and k.member_user_id is null`;

const SPENT = `coalesce(sum(d.spent_nanos) filter (where d.day = t.today), 0)::bigint as daily,
    coalesce(sum(d.spent_nanos) filter (where d.day >= t.first), 0)::bigint as monthly, coalesce(sum(d.spent_nanos), 0)::bigint as total`;

const OWN = `
select p.id, p.name, p.archived_at as "archivedAt", p.created_at as "createdAt", p.spend_limit_nanos::text as limit,
  p.spend_limit_period as "spendLimitPeriod", s.daily::text as daily, s.monthly::text as monthly, s.total::text as total,
  (select count(*)::int from api_keys k where ${LIVE} and k.project_id = p.id) as keys
from projects p, lateral (select ${SPENT} from t left join project_days d on d.project_id = p.id) s
where p.workspace_id = $1 and ($2::text is null or p.id = $2)`;

const REST = `
select '${DEFAULT_PROJECT}' as id, 'Default' as name, null::timestamptz as "archivedAt", null::timestamptz as "createdAt", null::text as limit,
  null::text as "spendLimitPeriod", (a.daily - o.daily)::text as daily, (a.monthly - o.monthly)::text as monthly, (a.total - o.total)::text as total,
  (select count(*)::int from api_keys k where ${LIVE} and k.project_id is null) as keys
from (select ${SPENT} from t left join key_days d on d.key_id = any (array(select k.id from api_keys k where k.workspace_id = $1))) a,
  (select ${SPENT} from t left join project_days d on d.project_id = any (array(select p.id from projects p where p.workspace_id = $1))) o
where $2::text is null or $2 = '${DEFAULT_PROJECT}'`;

/** What the ceiling of a project leaves in its current period; null without a ceiling. */
export function remainingNanosOf(project: ProjectState): bigint | null {
  const { spendLimitNanos, spendLimitPeriod, dailyNanos, monthlyNanos, totalNanos } = project;
  if (spendLimitNanos === null) return null;
  const spentNanos =
    spendLimitPeriod === 'daily' ? dailyNanos : spendLimitPeriod === 'monthly' ? monthlyNanos : totalNanos;
  return spentNanos < spendLimitNanos ? spendLimitNanos - spentNanos : 0n;
}

/**
 * Creates a project, audited. The caller chooses `id`: nothing happens when it exists. Returns it from the same transaction: a read after
 * the commit could fail, and its error would make the caller create another one.
 */
export function insertProject(
  rows: Rows,
  { id, by, ...chosen }: ProjectChoice & { id: string; by: Actor },
): Promise<ProjectState | 'too_many'> {
  return rows.transaction(async (tx) => {
    const { em, Project, workspaceId } = tx;
    const existing = await findProject(tx, id, false);
    if (existing) return existing;
    await lockWorkspace(tx, workspaceId);
    if ((await em.count(Project, {})) >= PROJECTS_MAX) return 'too_many';
    await em.insert(Project, { id, workspaceId, ...chosen });
    await auditProject(tx, by, { action: 'create_project', id, detail: { after: shown(chosen) } });
    return (await findProject(tx, id, false))!;
  });
}

/**
 * Changes a project, audited with the previous values. The keys of one that is archived are refused in every process within a second, and
 * accepted again once it is restored. Returns it as it is then. `isLimited`: as a caller sees it who is limited to projects.
 */
export function updateProject(
  rows: Rows,
  id: string,
  {
    change: { isArchived, ...change },
    by,
    isLimited = false,
  }: { change: ProjectChange; by: Actor; isLimited?: boolean },
): Promise<ProjectState | 'not_found' | 'period_without_limit'> {
  return rows.transaction(async (tx) => {
    const { em, sql, Project, LockMode } = tx;
    const before = await em.findOne(Project, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!before) return 'not_found';
    const wanted = change.spendLimitNanos === null ? { spendLimitPeriod: null, ...change } : change;
    const after = { ...before, ...wanted };
    if (after.spendLimitPeriod !== null && after.spendLimitNanos === null) return 'period_without_limit';
    if (Object.keys(wanted).length > 0) {
      const limited = changesLimit(wanted) ? { limitChangedAt: sql`ledger_now(${before.workspaceId})` } : {};
      await em.nativeUpdate(Project, { id }, { ...wanted, ...limited });
      if (changesLimit(wanted)) await freeSlices(tx);
      const earlier = Object.fromEntries(
        Object.keys(wanted).map((name) => [name, before[name as keyof ProjectChoice]]),
      );
      await auditProject(tx, by, {
        action: 'change_project',
        id,
        detail: { before: shown(earlier), after: shown(wanted) },
      });
    }
    if (isArchived !== undefined && isArchived !== (before.archivedAt !== null)) {
      await em.nativeUpdate(Project, { id }, { archivedAt: isArchived ? sql.now() : null });
      for (const key of await em.find(tx.ApiKey, { projectId: id, revokedAt: null }, { fields: ['id'] }))
        await announceChange(tx, key.id);
      await auditProject(tx, by, { action: isArchived ? 'archive_project' : 'restore_project', id });
    }
    return (await findProject(tx, id, isLimited))!;
  });
}

/** A change as the audit shows it, with the names of the API. */
const shown = ({ name, spendLimitNanos: nanos, spendLimitPeriod }: Partial<ProjectChoice>) => ({
  ...(name !== undefined && { name }),
  ...(nanos !== undefined && { spend_limit_usd: nanos === null ? null : usdTextOf(nanos) }),
  ...(spendLimitPeriod !== undefined && { spend_limit_period: spendLimitPeriod }),
});
