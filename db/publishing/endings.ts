import { NOTICE_DAYS } from '../../base/limits.ts';
import { recordEvent } from '../events/platformEvents.ts';
import type { MailedEventType } from '../events/eventTypes.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { isTestWorkspace } from '../workspaces/mode.ts';
import { findCallers, nameOf } from './callers.ts';
import { lockAgent, type AgentRow } from './publisherAgents.ts';
import { DAY_MS, timeIn } from './rollout/rollout.ts';

/*
 * How a public agent ends, and comes back:
 *
 *   available  -> taken down   new orders are refused with the publisher's text, its schedules pause; runs that have begun end as usual
 *   taken down -> available    restore
 *   available  -> deprecated   callers are told a date and a successor
 *   deprecated -> retired      at the date: new orders are refused, and name the successor
 *   deprecated, retired -> available   undeprecate
 */

export type EndingOutcome =
  { outcome: 'done' } | { outcome: 'not_found' | 'not_public' } | { outcome: 'too_early'; earliest: Date };

interface Ending {
  agentId: string;
  by: Actor;
}

/** Takes a public agent down. The callers are told once; a repetition may change the text. */
export function takeDown(
  everywhere: Rows<undefined>,
  workspaceId: string,
  { agentId, message, by }: Ending & { message: string },
): Promise<EndingOutcome> {
  return change(everywhere, workspaceId, { agentId, by, action: 'take_down' }, async (tx, agent) => {
    const { takenDownAt, takenDownMessage } = agent;
    if (takenDownMessage === message) return undefined;
    if (takenDownAt === null) {
      await announce(tx, agent, { type: 'agent.taken_down', data: { message } });
      await pauseSchedules(tx, agent, `The agent was taken down by its publisher: ${message}`);
    }
    const since = takenDownAt ?? (await timeIn(tx, workspaceId));
    return { set: { takenDownAt: since, takenDownMessage: message }, detail: { message } };
  });
}

/** Makes an agent that was taken down available again. Its schedules stay paused until their owners resume them. */
export function restore(
  everywhere: Rows<undefined>,
  workspaceId: string,
  { agentId, by }: Ending,
): Promise<EndingOutcome> {
  return change(everywhere, workspaceId, { agentId, by, action: 'restore' }, async (tx, agent) => {
    if (agent.takenDownAt === null) return undefined;
    await announce(tx, agent, { type: 'agent.restored', data: { was: 'taken_down' } });
    return { set: { takenDownAt: null, takenDownMessage: null }, detail: {} };
  });
}

/** The last day of an agent. */
export interface Deprecation {
  sunsetAt: Date;
  successor: string | null;
  message: string | null;
}

/** Deprecates a public agent, or changes its deprecation. A new date is at least the notice away; the callers are told of each date and successor once. */
export function deprecate(
  everywhere: Rows<undefined>,
  workspaceId: string,
  { agentId, by, ...deprecation }: Ending & Deprecation,
): Promise<EndingOutcome> {
  const { sunsetAt, successor, message } = deprecation;
  return change(everywhere, workspaceId, { agentId, by, action: 'deprecate' }, async (tx, agent) => {
    const isSameDay = agent.sunsetAt?.getTime() === sunsetAt.getTime();
    const isTold = isSameDay && agent.successor === successor;
    if (isTold && agent.deprecationMessage === message) return undefined;
    const now = await timeIn(tx, workspaceId);
    const earliest = new Date(now.getTime() + NOTICE_DAYS * DAY_MS);
    if (!isSameDay && sunsetAt < earliest) return { earliest };
    const detail = { sunset_at: sunsetAt.toISOString(), successor, message };
    if (!isTold) await announce(tx, agent, { type: 'agent.deprecated', data: detail });
    const deprecatedAt = agent.deprecatedAt ?? now;
    return { set: { deprecatedAt, sunsetAt, successor, deprecationMessage: message }, detail };
  });
}

/** Ends a deprecation, also after its date. */
export function undeprecate(
  everywhere: Rows<undefined>,
  workspaceId: string,
  { agentId, by }: Ending,
): Promise<EndingOutcome> {
  return change(everywhere, workspaceId, { agentId, by, action: 'undeprecate' }, async (tx, agent) => {
    if (agent.deprecatedAt === null) return undefined;
    await announce(tx, agent, { type: 'agent.restored', data: { was: 'deprecated' } });
    const set = { deprecatedAt: null, sunsetAt: null, successor: null, deprecationMessage: null };
    return { set, detail: {} };
  });
}

type Changed = { set: Partial<AgentRow>; detail: object } | { earliest: Date } | undefined;

/** Changes a locked agent of the workspace, audited. `undefined`: it is so already. */
function change(
  everywhere: Rows<undefined>,
  workspaceId: string,
  { agentId, by, action }: Ending & { action: string },
  decide: (tx: AnyTransaction, agent: AgentRow) => Promise<Changed>,
): Promise<EndingOutcome> {
  return everywhere.transaction(async (tx): Promise<EndingOutcome> => {
    const { em, Agent, Deployment } = tx;
    const agent = await lockAgent(tx, agentId);
    if (agent?.workspaceId !== workspaceId) return { outcome: 'not_found' };
    const live = { agentId, visibility: 'public' as const, status: ['active' as const, 'suspended' as const] };
    if ((await em.count(Deployment, live)) === 0) return { outcome: 'not_public' };
    const changed = await decide(tx, agent);
    if (!changed) return { outcome: 'done' };
    if ('earliest' in changed) return { outcome: 'too_early', earliest: changed.earliest };
    const { set, detail } = changed;
    await em.nativeUpdate(Agent, { id: agentId }, set);
    await audit(tx, by, { workspaceId, action, subjectType: 'agent', subjectId: agentId, detail });
    return { outcome: 'done' };
  }, workspaceId);
}

/** Records an event for the publisher, and for each caller with a mail. */
async function announce(
  tx: AnyTransaction,
  agent: AgentRow,
  { type, data }: { type: MailedEventType; data: object },
): Promise<void> {
  const name = nameOf(agent);
  const event = { type, resourceType: 'agent', resourceId: name, data: { agent: name, ...data } };
  await recordEvent(tx, agent.workspaceId, event);
  for (const id of await findCallers(tx, agent))
    await recordMailedEvent(tx, id, event, { roles: ['owner', 'developer'] });
}

/** Pauses the schedules of a public agent, each with its event. Temporal gets the changed rows by the sweep. */
async function pauseSchedules(tx: AnyTransaction, agent: AgentRow, note: string): Promise<void> {
  const { rows } = await tx.client.query<{ id: string; workspaceId: string; name: string | null }>(PAUSE, [
    nameOf(agent),
    note,
    isTestWorkspace(agent.workspaceId) ? agent.workspaceId : null,
  ]);
  for (const { id, workspaceId, name } of rows)
    await recordEvent(tx, workspaceId, {
      type: 'schedule.paused',
      resourceType: 'schedule',
      resourceId: id,
      data: { schedule_id: id, name, reason: 'agent', code: 'agent_taken_down', message: note },
    });
}

// Raw: the index of schedules is on an expression. Only a test workspace orders the agents that it publishes.
const PAUSE = `
update schedules set paused_at = now(), pause_reason = 'agent', pause_note = $2, revision = revision + 1, updated_at = now()
where split_part(run ->> 'agent', '@', 1) = $1 and coalesce(run ->> 'visibility', 'public') = 'public' and deleted_at is null
  and paused_at is null and ($3::text is null or workspace_id = $3)
returning id, workspace_id as "workspaceId", name`;
