import type { ClientBase } from 'pg';
import { nanosOfUsd } from '../money.ts';
import type { NewRun } from './newRun.ts';
import type { RunRow } from './runRow.ts';

/** Writes the row of a new run, within the transaction that placed its hold. */
export async function insertRun(
  client: ClientBase,
  order: NewRun,
  place: { sessionId: string; waiting: boolean; holdId: string; heldNanos: bigint },
): Promise<RunRow> {
  const { key, agent, pricing } = order;
  const values = {
    id: order.id,
    workspace_id: key.workspaceId,
    key_id: key.keyId,
    account_id: key.accountId,
    publisher_workspace_id: agent.publisherWorkspaceId,
    agent_id: agent.agentId,
    agent: agent.agent,
    agent_name: agent.agentName,
    version_id: agent.versionId,
    version: agent.version,
    session_id: place.sessionId,
    visibility: order.visibility,
    input: JSON.stringify(order.input),
    on_limit: order.onLimit,
    on_disconnect: order.onDisconnect,
    if_session_busy: order.ifSessionBusy,
    waiting: place.waiting,
    timeout_seconds: order.timeoutSeconds,
    source: order.source,
    metadata: JSON.stringify(order.metadata),
    webhook_url: order.webhookUrl,
    webhook_events: order.webhookEvents,
    rate_card: JSON.stringify(pricing),
    max_cost_nanos: order.maxCostNanos,
    minimum_cost_nanos: nanosOfUsd(pricing.minimum_cost_usd),
    hold_id: place.holdId,
    held_nanos: place.heldNanos,
  };
  const names = Object.keys(values);
  const { rows } = await client.query<RunRow>({
    name: 'runs_insert',
    text: `insert into runs (${names.join(', ')}, start_at)
      values (${names.map((_, at) => `$${at + 1}`).join(', ')}, now() + $${names.length + 1} * interval '1 second') returning *`,
    values: [...Object.values(values), order.startAfterSeconds],
  });
  return rows[0]!;
}
