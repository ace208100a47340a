import type { Client } from 'pg';

/**
 * Runs statements that move rows into the past, and then numbers and seals all ledger entries anew in the order of their times, so that
 * every rule of `ledger check` holds. Statements may insert entries with any unique transaction and without hashes. What the days of
 * keys, the hours of usage and the signed days say is summed again afterwards.
 */
export async function rewriteLedger(owner: Client, write: () => Promise<void>): Promise<void> {
  await owner.query('begin');
  try {
    // Triggers refuse changes of entries. `ledger check` reads them afterwards.
    await owner.query(
      `set local session_replication_role = replica; set local jit = off; set local work_mem = '256MB'`,
    );
    await write();
    for (const sql of [ORDER, CHAIN, REPLACE, SUMS]) await owner.query(sql);
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
  await owner.query('vacuum (analyze)');
}

const ORDER = `
create temporary table ordered on commit drop as
select dense_rank() over (order by t.at, t.transaction_id) as tx, t.transaction_id as old_tx, t.at, e.leg, e.account_id, e.workspace_id, e.kind,
  case when e.subject = 'settlement ' || e.transaction_id then null else e.subject end as subject, e.amount_nanos, e.key_id, a.kind = 'customer' as is_own
from ledger_entries e join accounts a on a.id = e.account_id
  join (select transaction_id, min(created_at) as at from ledger_entries group by 1) t using (transaction_id);
update ordered set subject = 'settlement ' || tx where subject is null;
create temporary table sealed on commit drop as
select tx, min(leg) filter (where not is_own) as leg, ledger_seal(tx, min(at), string_agg(ledger_leg(leg, account_id, workspace_id, kind, subject, amount_nanos), ','
  order by leg) filter (where not is_own)) as seal
from ordered group by tx;
alter table sealed add primary key (tx);
analyze ordered, sealed`;

const CHAIN = `
create function pg_temp.next_link(head bytea, seal bytea, leg bigint, sequence bigint, kind text, subject text, amount bigint, after bigint, key text)
returns bytea language sql as $$ select ledger_chain(head, seal, leg, sequence, kind, subject, amount, after, key) $$;
create aggregate pg_temp.link(bytea, bigint, bigint, text, text, bigint, bigint, text) (sfunc = pg_temp.next_link, stype = bytea);
create temporary table chained on commit drop as
select *, pg_temp.link(seal, leg, sequence, kind, subject, amount_nanos, after, key_id)
  over (partition by account_id order by sequence rows unbounded preceding) as hash
from (
  select o.*, s.seal, row_number() over account as sequence, (sum(o.amount_nanos) over account)::bigint as after
  from ordered o join sealed s using (tx) where o.is_own
  window account as (partition by o.account_id order by o.tx, o.leg)) numbered`;

const REPLACE = `
update requests set transaction_id = null, leg = null, account_id = null, debited_nanos = null, sequence = null, balance_after_nanos = null,
  hash = null where sequence is not null;
delete from ledger_legs;
insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos, hash,
  hash_version, key_id, created_at)
select * from (
  select tx, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, after, hash, 2::smallint, key_id, at from chained
  where kind <> 'debit' or starts_with(subject, 'run_')
  union all
  select o.tx, o.leg, o.account_id, o.workspace_id, o.kind, o.subject, o.amount_nanos, null, null, case when o.leg = s.leg then s.seal end,
    case when o.leg = s.leg then 2::smallint end, o.key_id, o.at
  from ordered o join sealed s using (tx) where not o.is_own) e order by tx, leg;
update requests q set settled_at = c.at, transaction_id = c.tx, leg = c.leg, account_id = c.account_id, debited_nanos = -c.amount_nanos,
  sequence = c.sequence, balance_after_nanos = c.after, hash = c.hash
from chained c where c.kind = 'debit' and c.subject = q.id;
update accounts a set posted_nanos = c.after, entry_count = c.sequence, head_hash = c.hash
from (select distinct on (account_id) * from chained order by account_id, sequence desc) c where a.id = c.account_id;
select setval('ledger_transaction_ids', (select max(tx) from ordered));
drop aggregate pg_temp.link(bytea, bigint, bigint, text, text, bigint, bigint, text);
drop function pg_temp.next_link`;

const SUMS = `
delete from key_days where not starts_with(workspace_id, 'wst_');
insert into key_days (key_id, day, workspace_id, spent_nanos)
select e.key_id, coalesce(h.day, (e.created_at at time zone 'utc')::date), min(e.workspace_id), -sum(e.amount_nanos)
from ledger_entries e left join runs r on r.id = e.subject left join holds h on h.id = r.hold_id
where e.kind = 'debit' and not starts_with(e.workspace_id, 'wst_') group by 1, 2;
delete from project_days;
insert into project_days (project_id, day, workspace_id, spent_nanos)
select b.project_id, b.day, min(b.workspace_id), sum(b.nanos) from (
  select project_id, (settled_at at time zone 'utc')::date as day, workspace_id, cost_nanos as nanos from requests
  union all select project_id, (settled_at at time zone 'utc')::date, workspace_id, total_nanos from runs where settled_at is not null) b
where b.project_id is not null and b.nanos > 0 group by 1, 2;
delete from usage_hours;
delete from usage_rollups;
delete from revenue_days;
delete from revenue_rollups;
delete from bill_days;
delete from bill_roots`;
