import { TOPUP_USD_MIN } from '../../base/limits.ts';
import { nanosOfUsd, usdTextOf } from '../money.ts';
import type { Rows } from '../postgres/rows.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';

type Level = 'low' | 'depleted';

interface Change {
  workspaceId: string;
  level: Level | null;
  before: Level | null;
  postedNanos: string;
}

/**
 * Records an event and its mails for each workspace when its balance has fallen below its threshold (that of its automatic top-up,
 * otherwise the smallest payment) or to zero, once until the balance is sufficient again. Returns how many. Workspaces that never had
 * credit are skipped.
 */
export function noteLowBalances(everywhere: Rows<undefined>): Promise<number> {
  return everywhere.transaction(async (tx) => {
    const { em, client, BalanceNotice } = tx;
    const { rows } = await client.query<Change>(CHANGES, [nanosOfUsd(TOPUP_USD_MIN)]);
    let noted = 0;
    for (const { workspaceId, level, before, postedNanos } of rows) {
      if (before === null) await em.insert(BalanceNotice, { workspaceId, level: level! });
      else if (level === null) await em.nativeDelete(BalanceNotice, { workspaceId });
      else await em.nativeUpdate(BalanceNotice, { workspaceId }, { level });
      // An insufficient payment causes no further event.
      if (level === null || (before === 'depleted' && level === 'low')) continue;
      const data = { balance_usd: usdTextOf(BigInt(postedNanos)) };
      await recordMailedEvent(tx, workspaceId, {
        type: `balance.${level}`,
        resourceType: 'workspace',
        resourceId: workspaceId,
        data,
      });
      noted += 1;
    }
    return noted;
  });
}

// Raw: compares balances with each workspace's settings, without blocking payments in other transactions.
const CHANGES = `
select l.workspace_id as "workspaceId", l.level, n.level as before, l.posted_nanos as "postedNanos" from (
  select a.workspace_id, a.posted_nanos, case when a.posted_nanos <= 0 then 'depleted'
    when a.posted_nanos < coalesce(case when c.auto_enabled then c.threshold_nanos end, $1) then 'low' end as level
  from accounts a left join payment_customers c on c.workspace_id = a.workspace_id where a.kind = 'customer' and a.entry_count > 0
) l left join balance_notices n on n.workspace_id = l.workspace_id
where l.level is distinct from n.level order by 1 limit 1000`;
