import { TOPUP_USD_MIN } from '../../base/limits.ts';
import { nanosOfUsd, usdTextOf } from '../money.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { recordEvent } from '../events/platformEvents.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';
import { chargesCardSql } from './cardOrders.ts';

type Level = 'low' | 'depleted';

interface Change {
  workspaceId: string;
  level: Level | null;
  before: Level | null;
  postedNanos: string;
  chargesCard: boolean;
}

/**
 * Records an event and its mails for each workspace when its balance has fallen below its threshold (that of its automatic top-up,
 * otherwise the smallest payment) or to zero, once until the balance is sufficient again. Returns how many. Workspaces that never had
 * credit are skipped. A low balance is not mailed while the saved card is charged for it: a payment that fails is. `hasPayments`: cards
 * can be charged at all.
 */
export function noteLowBalances(
  everywhere: Rows<undefined>,
  { hasPayments = true }: { hasPayments?: boolean } = {},
): Promise<number> {
  return everywhere.transaction(async (tx) => {
    const { client } = tx;
    const { rows } = await client.query<Change>(CHANGES, [nanosOfUsd(TOPUP_USD_MIN)]);
    let noted = 0;
    for (const { workspaceId, level, before, postedNanos, chargesCard } of rows) {
      if (!(await mark(tx, { workspaceId, level, before }))) continue;
      // An insufficient payment causes no further event.
      if (level === null || (before === 'depleted' && level === 'low')) continue;
      const isToppedUp = hasPayments && chargesCard;
      const record = isToppedUp && level === 'low' ? recordEvent : recordMailedEvent;
      await record(tx, workspaceId, {
        type: `balance.${level}`,
        resourceType: 'workspace',
        resourceId: workspaceId,
        data: { balance_usd: usdTextOf(BigInt(postedNanos)), automatic_topup: isToppedUp },
      });
      noted += 1;
    }
    return noted;
  });
}

/** Replaces the mark of what was told, from which it was decided. False: a check at the same time has done so, and tells of it. */
async function mark(
  { em, client, BalanceNotice }: AnyTransaction,
  { workspaceId, level, before }: Pick<Change, 'workspaceId' | 'level' | 'before'>,
): Promise<boolean> {
  if (before === null) return (await client.query(INSERT, [workspaceId, level])).rowCount === 1;
  const old = { workspaceId, level: before };
  if (level === null) return (await em.nativeDelete(BalanceNotice, old)) === 1;
  return (await em.nativeUpdate(BalanceNotice, old, { level })) === 1;
}

// Raw: another check may insert it at the same time.
const INSERT = 'insert into balance_notices (workspace_id, level) values ($1, $2) on conflict do nothing';

// Raw: compares balances with each workspace's settings, without blocking payments in other transactions.
const CHANGES = `
select l.workspace_id as "workspaceId", l.level, n.level as before, l.posted_nanos as "postedNanos",
  l.level is not null and ${chargesCardSql('l.workspace_id')} as "chargesCard" from (
  select a.workspace_id, a.posted_nanos, case when a.posted_nanos <= 0 then 'depleted'
    when a.posted_nanos < coalesce(case when c.auto_enabled then c.threshold_nanos end, $1) then 'low' end as level
  from accounts a left join payment_customers c on c.workspace_id = a.workspace_id where a.kind = 'customer' and a.entry_count > 0
) l left join balance_notices n on n.workspace_id = l.workspace_id
where l.level is distinct from n.level order by 1 limit 1000`;
