import { listAddresses, type MembersBy } from '../accounts/members.ts';
import type { MailedEventType } from '../events/eventTypes.ts';
import { recordEvent } from '../events/platformEvents.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';

/** A pending mail, with its event. */
export interface EventMailOrder {
  eventId: string;
  recipient: string;
  type: MailedEventType;
  data: Record<string, string>;
  workspaceId: string;
  workspaceName: string;
}

const PAYING: MembersBy = { roles: ['owner', 'finance'] };

/**
 * Records an event of a workspace, and a mail about it for each confirmed address of these members. Where no chosen person is left, owners
 * and finance people get it.
 */
export async function recordMailedEvent(
  tx: AnyTransaction,
  workspaceId: string,
  event: Parameters<typeof recordEvent>[2] & { type: MailedEventType },
  members = PAYING,
): Promise<void> {
  await mailEvent(tx, { workspaceId, eventId: await recordEvent(tx, workspaceId, event) }, members);
}

/** Records a mail about an event for each confirmed address of these members; without a chosen one, for owners and finance people. */
export async function mailEvent(
  tx: AnyTransaction,
  { workspaceId, eventId }: { workspaceId: string; eventId: string },
  members: MembersBy,
): Promise<void> {
  const chosen = await listAddresses(tx, workspaceId, members);
  const isEmpty = 'userIds' in members && chosen.length === 0;
  for (const recipient of isEmpty ? await listAddresses(tx, workspaceId, PAYING) : chosen)
    await tx.em.insert(tx.EventMail, { eventId, recipient });
}

/**
 * Takes a due mail, or undefined. A mail is taken before it is sent, so a process that dies in between loses it rather than sending it
 * twice: the console still shows the event.
 */
export async function takeEventMail(everywhere: Rows<undefined>): Promise<EventMailOrder | undefined> {
  const { rows } = await everywhere.statement(({ client }) => client.query<EventMailOrder>(TAKE));
  return rows[0];
}

// Raw: the ORM cannot skip rows locked by another process.
const TAKE = `
with taken as (
  update event_mails m set due_at = null, attempts = attempts + 1
  from (select event_id, recipient from event_mails where due_at <= now() order by due_at, recipient limit 1 for update skip locked) d
  where m.event_id = d.event_id and m.recipient = d.recipient returning m.event_id, m.recipient
)
select t.event_id as "eventId", t.recipient, e.type, e.data, e.workspace_id as "workspaceId", w.name as "workspaceName"
from taken t join platform_events e on e.id = t.event_id join workspaces w on w.id = e.workspace_id`;

// Tries of a mail that the server refuses permanently. It refuses all mails until it knows the sender.
const REFUSALS_MAX = 10;

/**
 * Schedules a retry of a mail that was not sent, after 2, 4, 8 minutes and so on up to an hour: for four days, and of a refused one ten
 * times. Then it is lost, which `due_at = infinity` says for operators.
 */
export async function returnEventMail(
  everywhere: Rows<undefined>,
  { eventId, recipient }: Pick<EventMailOrder, 'eventId' | 'recipient'>,
  { isRefused }: { isRefused: boolean },
): Promise<void> {
  await everywhere.statement(({ client }) =>
    client.query(RETURN, [eventId, recipient, isRefused ? REFUSALS_MAX : null]),
  );
}

const RETURN = `
update event_mails set due_at = case when attempts >= $3::int or created_at < now() - interval '4 days' then 'infinity'
  else now() + interval '1 minute' * least(2 ^ least(attempts, 6), 60) end
where event_id = $1 and recipient = $2`;
/** Deletes records of mails after a month. Returns how many. */
export const pruneEventMails = (everywhere: Rows<undefined>): Promise<number> =>
  everywhere.statement(({ client }) =>
    deleteInPortions(client, 'event_mails', "created_at < now() - interval '30 days'"),
  );
