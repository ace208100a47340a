import type { Queryable } from '../postgres/queryable.ts';

/** What a key and its account can still spend, by the database's clock. Amounts in nano-USD. */
export interface KeyState {
  postedNanos: bigint;
  /** Not held by a running call or run. */
  availableNanos: bigint;
  spendLimitNanos: bigint | null;
  spendLimitPeriod: 'daily' | 'monthly' | null;
  /** Of the ceiling, not yet spent in this period; null without a ceiling. */
  keyLeftNanos: bigint | null;
  /** Of that remainder, not held by a running call or run; null without a ceiling. */
  keyFreeNanos: bigint | null;
  /** Of the ceiling of its project, not yet spent in this period; null without such a ceiling. */
  projectLeftNanos: bigint | null;
  /** When that ceiling's period ends (ISO 8601), null when it never does. */
  projectResetsAt: string | null;
  /** When the ceiling's period ends (ISO 8601), null when it never does. */
  resetsAt: string | null;
}

/** Reads the state in one statement. Throws when there is no such key. */
export async function findKeyState(client: Queryable, keyId: string): Promise<KeyState> {
  const { rows } = await client.query({ name: 'key_state', text: KEY_STATE, values: [keyId] });
  const row = rows[0];
  if (!row) throw new Error(`no such key: ${keyId}`);
  return {
    postedNanos: BigInt(row.posted),
    availableNanos: BigInt(row.available),
    spendLimitNanos: row.spend_limit_nanos === null ? null : BigInt(row.spend_limit_nanos),
    spendLimitPeriod: row.spend_limit_period,
    keyLeftNanos: row.key_left === null ? null : BigInt(row.key_left),
    keyFreeNanos: row.key_free === null ? null : BigInt(row.key_free),
    projectLeftNanos: row.project_left === null ? null : BigInt(row.project_left),
    projectResetsAt: row.project_resets_at?.toISOString() ?? null,
    resetsAt: row.resets_at?.toISOString() ?? null,
  };
}

const resetSql = (period: string) => `case ${period} when 'daily' then (t.today + 1)::timestamp at time zone 'utc'
    when 'monthly' then (date_trunc('month', t.today) + interval '1 month') at time zone 'utc' end`;

// Raw: rules of the ledger, in the path of paid calls.
const KEY_STATE = `
with t as (select (ledger_now(workspace_id) at time zone 'utc')::date as today from api_keys where id = $1)
select r.posted, r.available + idle.of_account as available, r.key_left, r.key_free + idle.of_key as key_free, k.spend_limit_nanos, k.spend_limit_period,
  ${resetSql('k.spend_limit_period')} as resets_at, ${resetSql('p.spend_limit_period')} as project_resets_at,
  case when k.project_id is not null then (ledger_project_room(k.project_id, t.today))[1] end as project_left
from t, api_keys k left join projects p on p.id = k.project_id, lateral ledger_room(k.id) r, lateral (
  select coalesce(sum(i.idle_nanos), 0)::bigint as of_account,
    coalesce(sum(i.idle_nanos) filter (where i.key_id = k.id and i.day = t.today), 0)::bigint as of_key from ledger_idle(k.account_id) i
) idle where k.id = $1`;
