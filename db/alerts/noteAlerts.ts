import type { AlertKind } from '../entities/alertKinds.ts';
import type { MailedEventType } from '../events/eventTypes.ts';
import { recordEvent } from '../events/platformEvents.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';
import { usdTextOf } from '../money.ts';
import { isToldLateSql } from '../periodSql.ts';
import type { Rows } from '../postgres/rows.ts';
import { runwayDaysOf, stateSql } from './alertState.ts';

interface Told {
  id: string;
  workspaceId: string;
  kind: AlertKind;
  mail: boolean;
  recipients: string[] | null;
  keyId: string | null;
  keyName: string | null;
  projectId: string | null;
  projectName: string | null;
  amountNanos: string | null;
  period: string | null;
  periodStart: string;
  spentNanos: string;
  days: number | null;
  availableNanos: string | null;
  runwayDays: string | null;
  level: number;
}

/**
 * Records an event, and mails where they are wanted, for each alert whose next percentage is reached or whose runway has become short: once
 * in a period. What is spent late counts: in the last minute of a period, or by a run that was ordered in it and ended after it. Returns
 * how many.
 */
export function noteAlerts(everywhere: Rows<undefined>): Promise<number> {
  return everywhere.transaction(async (tx) => {
    const { rows: late } = await tx.client.query<Told>(NOTE_LAST);
    const { rows } = await tx.client.query<Told>(NOTE_PRESENT);
    for (const told of [...late, ...rows]) {
      const { type, dataOf } = EVENTS[told.kind];
      const event = { type, resourceType: 'alert', resourceId: told.id, data: dataOf(told) };
      if (told.mail) await recordMailedEvent(tx, told.workspaceId, event, membersOf(told));
      else await recordEvent(tx, told.workspaceId, event);
    }
    return late.length + rows.length;
  });
}

const membersOf = ({ recipients }: Told) => (recipients === null ? undefined : { userIds: recipients });

const budgetOf = (told: Told) => ({
  id: told.id,
  key_id: told.keyId,
  key_name: told.keyName,
  project_id: told.projectId,
  project_name: told.projectName,
  percent: told.level,
  spent_usd: usdTextOf(BigInt(told.spentNanos)),
  amount_usd: usdTextOf(BigInt(told.amountNanos!)),
  period: told.period,
  period_start: told.periodStart,
});

const runwayOf = (told: Told) => ({
  id: told.id,
  days: told.days,
  runway_days: runwayDaysOf(told.runwayDays!),
  balance_usd: usdTextOf(BigInt(told.availableNanos!)),
});

/** What each kind of alert records. */
const EVENTS: Record<AlertKind, { type: MailedEventType; dataOf: (told: Told) => object }> = {
  spend: { type: 'alert.spend_reached', dataOf: budgetOf },
  runway: { type: 'alert.runway_short', dataOf: runwayOf },
};

// Raw: sums over keys and days beside each alert. Of two checks at a time, the second waits and then finds another mark than it read.
const noteSql = (states: string, isNoted: string) => `
with state as (${states}),
seen as (
  select s.*, case when s.kind = 'runway' or s.told_period = s.start then s.told_level else 0 end as before from state s),
noted as (
  update alerts t set told_level = s.level, told_period = s.start from seen s
  where t.id = s.id and ${isNoted} and (t.told_level, t.told_period) is not distinct from (s.told_level, s.told_period)
  returning t.id)
select s.id, s.workspace_id as "workspaceId", s.kind, s.mail, s.recipients, s.key_id as "keyId", k.name as "keyName",
  s.project_id as "projectId", j.name as "projectName", s.amount_nanos as "amountNanos",
  s.period, to_char(s.start, 'YYYY-MM-DD') as "periodStart", s.spent as "spentNanos", s.days, s.available as "availableNanos", s.runway as "runwayDays", s.level
from seen s join noted n on n.id = s.id left join api_keys k on k.id = s.key_id left join projects j on j.id = s.project_id
where s.level > s.before order by s.id`;

const NOTE_PRESENT = noteSql(stateSql('true'), 's.level <> s.before');

const HAS_ENDED = `a.kind = 'spend' and ${isToldLateSql({ since: 'a.created_at', told: 'a.told_period' })}`;
const NOTE_LAST = noteSql(stateSql(HAS_ENDED, { ofLast: true }), 's.level > s.before');
