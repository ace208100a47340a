-- What the ceilings of a key and of the keys that it descends from leave it, each of them with the spending and the holds of all its
-- descendants: the least that is left, and the least that is left and not held. The caller holds the account's lock.
create or replace function ledger_tree_room(p_key text, p_day date) returns bigint[] language sql as $$
  with ceilings as (
    select a.id, a.account_id, a.spend_limit_nanos,
      case a.spend_limit_period when 'daily' then p_day when 'monthly' then date_trunc('month', p_day)::date else '-infinity' end as since,
      case a.spend_limit_period when 'daily' then p_day + 1 when 'monthly' then (date_trunc('month', p_day) + interval '1 month')::date
        else 'infinity' end as until,
      array(select a.id union all select t.id from api_keys t where t.parent_id is not null and t.ancestors @> array[a.id]) as tree
    from api_keys k join api_keys a on a.id = any (k.ancestors || k.id)
    where k.id = p_key and a.spend_limit_nanos is not null)
  select array[min(c.spend_limit_nanos - spent.nanos), min(c.spend_limit_nanos - spent.nanos - held.nanos)]::bigint[]
  from ceilings c,
    lateral (select coalesce(sum(d.spent_nanos), 0) as nanos from key_days d
      where d.key_id = any (c.tree) and d.day >= c.since and d.day < c.until) spent,
    lateral (select coalesce(sum(h.amount_nanos), 0) as nanos from holds h
      where h.account_id = c.account_id and h.state = 'open' and h.key_id = any (c.tree) and h.day >= c.since and h.day < c.until) held
$$;
