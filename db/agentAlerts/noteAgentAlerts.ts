import { shownNamespaceSql } from '../agents/namespaces.ts';
import { isMailed } from '../events/eventTypes.ts';
import { recordEvent } from '../events/platformEvents.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';
import type { Rows } from '../postgres/rows.ts';
import { agentAlertStateSql } from './agentAlertState.ts';

interface Told {
  id: string;
  workspaceId: string;
  agentId: string;
  agent: string;
  kind: 'failure_rate' | 'failures';
  threshold: number;
  windowMinutes: number;
  mail: boolean;
  recipients: string[] | null;
  runs: number;
  failures: number;
  codes: { code: string; runs: number }[];
  failing: boolean;
}

/**
 * Records an event for each agent that begins to fail by one of its publisher's alerts, with mails where they are wanted, and for each that
 * has recovered. Returns how many.
 */
export function noteAgentAlerts(everywhere: Rows<undefined>): Promise<number> {
  return everywhere.transaction(async (tx) => {
    const { rows } = await tx.client.query<Told>(NOTE);
    for (const told of rows) {
      const type = told.failing ? 'agent.failing' : 'agent.recovered';
      const about = { resourceType: 'agent_alert', resourceId: told.id, data: dataOf(told) };
      if (told.mail && isMailed(type))
        await recordMailedEvent(tx, told.workspaceId, { type, ...about }, membersOf(told));
      else await recordEvent(tx, told.workspaceId, { type, ...about });
    }
    return rows.length;
  });
}

const membersOf = ({ recipients }: Told) =>
  recipients === null ? { roles: ['owner' as const, 'publisher' as const] } : { userIds: recipients };

const dataOf = ({ id, agentId, agent, kind, threshold, windowMinutes, runs, failures, codes }: Told) => ({
  id,
  agent_id: agentId,
  agent,
  type: kind,
  threshold,
  window_minutes: windowMinutes,
  runs,
  failures,
  failure_rate: runs === 0 ? null : failures / runs,
  codes,
  links: {
    agent: `/v1/publisher/agents/${agentId}`,
    runs: `/v1/publisher/agents/${agentId}/runs?status=failed`,
    metrics: `/v1/publisher/agents/${agentId}/metrics`,
  },
});

// Raw: figures beside each alert. Of two checks at a time, the second waits and then finds another state than it read.
const NOTE = `
with state as (${agentAlertStateSql('true')}),
noted as (
  update agent_alerts t set is_failing = s.failing, changed_at = ledger_now(t.workspace_id) from state s
  where t.id = s.id and s.failing <> s.is_failing and t.is_failing = s.is_failing returning t.id)
select s.id, s.workspace_id as "workspaceId", s.agent_id as "agentId", ${shownNamespaceSql('g.namespace')} || '/' || g.slug as agent, s.kind,
  s.threshold, s.window_minutes as "windowMinutes", s.mail, s.recipients, s.runs, s.failures, s.codes, s.failing
from state s join noted n on n.id = s.id join agents g on g.id = s.agent_id order by s.id`;
