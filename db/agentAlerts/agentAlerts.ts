import type { InferEntity } from '@mikro-orm/core';
import type { AgentAlert } from '../entities/publishedRun.ts';
import { shownNamespaceSql } from '../agents/namespaces.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import { areMembers } from '../workspaces/areMembers.ts';
import { auditOf, type Actor } from '../workspaces/audit.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';
import { agentAlertStateSql } from './agentAlertState.ts';

const auditAlert = auditOf('agent_alert');

/** The most alerts of a publisher. */
export const AGENT_ALERTS_MAX = 100;

/** What a publisher chooses. */
export type AgentAlertChoice = Pick<
  InferEntity<typeof AgentAlert>,
  'agentId' | 'kind' | 'threshold' | 'windowMinutes' | 'runsMin' | 'faults' | 'mail' | 'recipients'
>;

/** An alert, and what it watches now. */
export interface AgentAlertState extends AgentAlertChoice {
  id: string;
  /** `<namespace>/<slug>` */
  agent: string;
  runs: number;
  failures: number;
  failing: boolean;
  createdAt: Date;
}

/** The alerts of the workspace, the oldest first; of one agent, when it is given. */
export const listAgentAlerts = (everywhere: Rows<undefined>, workspaceId: string, agentId: string | null) =>
  read(everywhere, '($2::text is null or a.agent_id = $2)', [workspaceId, agentId]);

/** One alert of the workspace, or undefined. */
export const findAgentAlert = async (
  rows: AnyRows,
  workspaceId: string,
  id: string,
): Promise<AgentAlertState | undefined> => (await read(rows, 'a.id = $2', [workspaceId, id]))[0];

async function read(rows: AnyRows, where: string, values: unknown[]): Promise<AgentAlertState[]> {
  const text = `${READ} (${agentAlertStateSql(`a.workspace_id = $1 and ${where}`)}) s ${NAMED}`;
  return (await rows.statement(({ client }) => client.query<AgentAlertState>(text, values))).rows;
}

// Raw: figures over runs of other workspaces beside each alert.
const READ = `
select s.id, s.agent_id as "agentId", ${shownNamespaceSql('g.namespace')} || '/' || g.slug as agent, s.kind, s.threshold,
  s.window_minutes as "windowMinutes", s.runs_min as "runsMin", s.faults, s.mail, s.recipients, s.runs, s.failures, s.failing,
  s.created_at as "createdAt" from`;
const NAMED = 'join agents g on g.id = s.agent_id and g.workspace_id = s.workspace_id order by s.created_at, s.id';

/**
 * Creates an alert, audited. The caller chooses `id`: nothing happens when it exists. Returns it from the same transaction: a read after the
 * commit could fail, and its error would make the caller create another one.
 */
export function insertAgentAlert(
  rows: Rows,
  { id, by, ...chosen }: AgentAlertChoice & { id: string; by: Actor },
): Promise<AgentAlertState | 'too_many' | 'no_agent' | 'no_member'> {
  return rows.transaction(async (tx) => {
    const { em, Agent, AgentAlert, workspaceId } = tx;
    const existing = await findAgentAlert(tx, workspaceId, id);
    if (existing) return existing;
    if (!(await em.findOne(Agent, { id: chosen.agentId }))) return 'no_agent';
    if (!(await areMembers(tx, chosen.recipients))) return 'no_member';
    await lockWorkspace(tx, workspaceId);
    if ((await em.count(AgentAlert, {})) >= AGENT_ALERTS_MAX) return 'too_many';
    await em.insert(AgentAlert, { id, workspaceId, ...chosen, changedAt: null });
    await auditAlert(tx, by, { action: 'create_agent_alert', id, detail: { after: chosen } });
    return (await findAgentAlert(tx, workspaceId, id))!;
  });
}

/** Changes an alert, audited, and returns it as it is then. What it has told already is not told again. */
export function updateAgentAlert(
  rows: Rows,
  id: string,
  { change, by }: { change: Partial<AgentAlertChoice>; by: Actor },
): Promise<AgentAlertState | 'not_found' | 'no_member'> {
  return rows.transaction(async (tx) => {
    const { em, AgentAlert, LockMode, workspaceId } = tx;
    if (!(await areMembers(tx, change.recipients))) return 'no_member';
    const alert = await em.findOne(AgentAlert, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!alert) return 'not_found';
    const names = Object.keys(change) as (keyof AgentAlertChoice)[];
    const before = Object.fromEntries(names.map((name) => [name, alert[name]]));
    if (names.length > 0) await em.nativeUpdate(AgentAlert, { id }, change);
    await auditAlert(tx, by, { action: 'change_agent_alert', id, detail: { before, after: change } });
    return (await findAgentAlert(tx, workspaceId, id))!;
  });
}

/** Deletes an alert, audited. False: no such alert. */
export function removeAgentAlert(rows: Rows, id: string, by: Actor): Promise<boolean> {
  return rows.transaction(async (tx) => {
    if ((await tx.em.nativeDelete(tx.AgentAlert, { id })) === 0) return false;
    await auditAlert(tx, by, { action: 'delete_agent_alert', id });
    return true;
  });
}
