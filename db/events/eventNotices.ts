import { isHolding } from '../postgres/heldNotices.ts';
import { sendNotice } from '../postgres/notices.ts';
import type { Queryable } from '../postgres/queryable.ts';

/** Events of a run that webhooks deliver, as the triggers of `run_events` have them. */
const DELIVERED = new Set(['run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']);

/** Whether one of these events of a run is delivered to webhooks and streams of events. */
export const isDelivered = (events: { type: string }[]): boolean => events.some(({ type }) => DELIVERED.has(type));

/**
 * Adds events that webhooks deliver. Triggers tell other processes of them by NOTIFY, whose lock lets only one transaction commit at a
 * time; within a transaction whose messages go over a bus, these are told over it right after the commit. `workspaceOf` gets the result;
 * undefined: nothing was added.
 */
export async function addDelivered<T>(
  client: Queryable,
  add: () => Promise<T>,
  workspaceOf: (added: T) => string | undefined,
): Promise<T> {
  if (!isHolding(client)) return add();
  await client.query(TOLD);
  const added = await add();
  const workspaceId = workspaceOf(added);
  if (workspaceId !== undefined) {
    await sendNotice(client, { kind: 'event', workspaceId });
    // The trigger alone knows whether an endpoint gets the event.
    await sendNotice(client, { kind: 'webhook' });
  }
  return added;
}

const TOLD = { name: 'events_told', text: `select set_config('ledgerline.told', 'on', true)` };
