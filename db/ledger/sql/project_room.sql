-- What the ceiling of a project leaves in the period of a day: of what its calls have spent, and of what they hold too. Null without a
-- ceiling. The caller holds the account's lock. Each project is of one workspace, which has one account, so that lock is enough.
create or replace function ledger_project_room(p_project text, p_day date) returns bigint[] language sql as $$
  select array[c.spend_limit_nanos - spent.nanos, c.spend_limit_nanos - spent.nanos - held.nanos]::bigint[]
  from (select p.*,
      case p.spend_limit_period when 'daily' then p_day when 'monthly' then date_trunc('month', p_day)::date else '-infinity' end as since,
      case p.spend_limit_period when 'daily' then p_day + 1 when 'monthly' then (date_trunc('month', p_day) + interval '1 month')::date
        else 'infinity' end as until
      from projects p where p.id = p_project and p.spend_limit_nanos is not null) c
    join accounts a on a.workspace_id = c.workspace_id,
    lateral (select coalesce(sum(d.spent_nanos), 0) as nanos from project_days d
      where d.project_id = c.id and d.day >= c.since and d.day < c.until) spent,
    lateral (select coalesce(sum(h.amount_nanos), 0) as nanos from holds h
      where h.account_id = a.id and h.state = 'open' and h.project_id = c.id and h.day >= c.since and h.day < c.until) held
$$;
