import type { InferEntity } from '@mikro-orm/core';
import type { Alert } from '../entities/alert.ts';
import { areMembers } from '../workspaces/areMembers.ts';
import { auditOf, type Actor } from '../workspaces/audit.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';
import type { Balance } from '../ledger/balance.ts';
import type { Rows } from '../postgres/rows.ts';
import { BEGUN, runwayDaysOf, stateSql } from './alertState.ts';

const auditAlert = auditOf('alert');

/** The most alerts of a workspace. */
export const ALERTS_MAX = 50;

/** What a person chooses. */
export type AlertChoice = Pick<
  InferEntity<typeof Alert>,
  'kind' | 'keyId' | 'projectId' | 'amountNanos' | 'period' | 'percentages' | 'days' | 'mail' | 'recipients'
>;

/** An alert, and what it watches now. */
export interface AlertState extends AlertChoice {
  id: string;
  keyName: string | null;
  projectName: string | null;
  spentNanos: bigint;
  /** Null while nothing is spent, and for budgets. */
  runwayDays: number | null;
  /** The largest percentage that is reached; of a runway: 1 while it is short. */
  level: number;
  createdAt: Date;
}

/** The alerts of the workspace, the oldest first, with what lasts of its balance. */
export const listAlerts = (rows: Rows, balance: Balance): Promise<AlertState[]> =>
  read(rows, balance, { where: '$2::text is null', id: null });

/** One alert of the workspace, or undefined. */
export const findAlert = async (rows: Rows, balance: Balance, id: string): Promise<AlertState | undefined> =>
  (await read(rows, balance, { where: 'a.id = $2', id }))[0];

async function read(
  rows: Rows,
  { postedNanos, heldNanos }: Balance,
  { where, id }: { where: string; id: string | null },
): Promise<AlertState[]> {
  const values = [rows.workspaceId, id, postedNanos - heldNanos];
  const found = await rows.statement(({ client }) => client.query<Row>(readSql(where), values));
  return found.rows.map((row) => ({
    ...row,
    amountNanos: row.amountNanos === null ? null : BigInt(row.amountNanos),
    spentNanos: BigInt(row.spentNanos),
    runwayDays: row.runwayDays === null ? null : runwayDaysOf(row.runwayDays),
  }));
}

type Row = Omit<AlertState, 'amountNanos' | 'spentNanos' | 'runwayDays'> & {
  amountNanos: string | null;
  spentNanos: string;
  runwayDays: string | null;
};

// Raw: sums over keys and days beside each alert.
const readSql = (where: string): string => `
select s.id, s.kind, s.key_id as "keyId", k.name as "keyName", s.project_id as "projectId", j.name as "projectName",
  s.amount_nanos as "amountNanos", s.period, s.percentages, s.days, s.mail, s.recipients,
  s.spent as "spentNanos", s.runway as "runwayDays", s.level, s.created_at as "createdAt"
from (${stateSql(`a.workspace_id = $1 and ${where}`, { available: '$3::bigint' })}) s left join api_keys k on k.id = s.key_id and k.workspace_id = s.workspace_id
  left join projects j on j.id = s.project_id and j.workspace_id = s.workspace_id
order by s.created_at, s.id`;

/**
 * Creates an alert, audited. The caller chooses `id`: nothing happens when it exists. Returns it from the same transaction: a read after the
 * commit could fail, and its error would make the caller create another one.
 */
export function insertAlert(
  rows: Rows,
  balance: Balance,
  { id, by, ...chosen }: AlertChoice & { id: string; by: Actor },
): Promise<AlertState | 'too_many' | 'no_key' | 'no_project' | 'no_member'> {
  return rows.transaction(async (tx) => {
    const { em, Alert, ApiKey, Project, workspaceId } = tx;
    const existing = await findAlert(tx, balance, id);
    if (existing) return existing;
    if (chosen.keyId !== null && !(await em.findOne(ApiKey, { id: chosen.keyId, memberUserId: null }))) return 'no_key';
    if (chosen.projectId !== null && !(await em.findOne(Project, { id: chosen.projectId }))) return 'no_project';
    if (!(await areMembers(tx, chosen.recipients))) return 'no_member';
    await lockWorkspace(tx, workspaceId);
    if ((await em.count(Alert, {})) >= ALERTS_MAX) return 'too_many';
    await em.insert(Alert, { id, workspaceId, ...chosen, toldPeriod: null });
    await auditAlert(tx, by, { action: 'create_alert', id, detail: { after: shown(chosen) } });
    return (await findAlert(tx, balance, id))!;
  });
}

/** Changes an alert, audited, and returns it as it is then. What it has told already is not told again. */
export function updateAlert(
  rows: Rows,
  balance: Balance,
  { id, change, by }: { id: string; change: Partial<AlertChoice>; by: Actor },
): Promise<AlertState | 'not_found' | 'no_member'> {
  return rows.transaction(async (tx) => {
    const { em, Alert, LockMode } = tx;
    if (!(await areMembers(tx, change.recipients))) return 'no_member';
    const alert = await em.findOne(Alert, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!alert) return 'not_found';
    const names = Object.keys(change) as (keyof AlertChoice)[];
    const before = Object.fromEntries(names.map((name) => [name, alert[name]])) as Partial<AlertChoice>;
    if (names.length > 0) await em.nativeUpdate(Alert, { id }, change);
    if (names.some((name) => DECIDING.includes(name))) await tx.client.query(BEGIN_NOW, [id]);
    await auditAlert(tx, by, { action: 'change_alert', id, detail: { before: shown(before), after: shown(change) } });
    return (await findAlert(tx, balance, id))!;
  });
}

const DECIDING: (keyof AlertChoice)[] = ['amountNanos', 'period', 'percentages'];

// A changed budget records no event for the period before.
const BEGIN_NOW = `
update alerts a set told_period = ${BEGUN}, told_level = 0
where a.id = $1 and a.kind = 'spend' and coalesce(a.told_period < ${BEGUN}, true)`;

/** Deletes an alert, audited. False: no such alert. */
export function removeAlert(rows: Rows, id: string, by: Actor): Promise<boolean> {
  return rows.transaction(async (tx) => {
    if ((await tx.em.nativeDelete(tx.Alert, { id })) === 0) return false;
    await auditAlert(tx, by, { action: 'delete_alert', id });
    return true;
  });
}

const shown = ({ amountNanos, ...rest }: Partial<AlertChoice>) =>
  amountNanos === undefined ? rest : { ...rest, amountNanos: amountNanos === null ? null : String(amountNanos) };
