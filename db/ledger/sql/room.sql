-- What a key may still spend in the period of a day, and what limits it. Keys that made others, or were made by others, count together
-- (`tree_room`); a key alone never pays for that, and one without a ceiling not for its days. The caller holds the account's lock. Days are UTC by the
-- database's clock, or the test workspace's; a hold that outlives its day still grows within that day's period.
create or replace function ledger_room(
  p_key text, p_day date default null, out posted bigint, out available bigint, out key_left bigint, out key_free bigint
) language sql as $$
  with k as (
    select k.*, day,
      case spend_limit_period when 'daily' then day when 'monthly' then date_trunc('month', day)::date else '-infinity' end as since,
      case spend_limit_period when 'daily' then day + 1 when 'monthly' then (date_trunc('month', day) + interval '1 month')::date
        else 'infinity' end as until
    from api_keys k, lateral (select coalesce(p_day, (ledger_now(k.workspace_id) at time zone 'utc')::date) as day) d where k.id = p_key)
  select a.posted_nanos,
    a.posted_nanos - coalesce((select sum(h.amount_nanos) from holds h where h.account_id = a.id and h.state = 'open'), 0)::bigint,
    least(spend.key_left, tree.room[1]),
    least(spend.key_left - coalesce((select sum(h.amount_nanos) from holds h
      where h.account_id = a.id and h.state = 'open' and h.key_id = k.id and h.day >= k.since and h.day < k.until), 0)::bigint, tree.room[2])
  from k join accounts a on a.id = k.account_id,
    lateral (select case when k.in_tree then ledger_tree_room(k.id, k.day) end as room) tree,
    lateral (select case when k.spend_limit_nanos is not null then k.spend_limit_nanos - coalesce((select sum(d.spent_nanos) from key_days d
      where d.key_id = k.id and d.day >= k.since and d.day < k.until), 0)::bigint end as key_left) spend
$$;
