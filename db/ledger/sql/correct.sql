-- Replaces a stream's provisional bill, made from its recorded progress, with the final one: its process was paused, not dead. Charges or
-- refunds the difference and ends the hold that the call has taken since. The caller holds the account's lock. What the provisional
-- bill was made of is kept, because the signed root of its day covers it.
create or replace function ledger_correct(
  i ledger_settlement, p_charge bigint, p_day date
) returns void language plpgsql as $$
declare
  r requests; more bigint; lost bigint; tx bigint;
begin
  select * into r from requests where id = i.id;
  more := p_charge - r.cost_nanos;
  lost := (i.cost - p_charge) - r.written_off_nanos;
  update holds set state = case when p_charge > 0 then 'settled' else 'released' end, ended_at = now()
    where id = i.hold and kind = 'request' and ended_at is null;
  if more <> 0 then
    perform ledger_post('correction', i.id, i.workspace, 'revenue', -more);
    if more < 0 then
      update key_days d set spent_nanos = d.spent_nanos + more where d.key_id = i.key and d.day =
        (select max(b.day) from key_days b where b.key_id = i.key and b.day <= p_day and b.spent_nanos >= -more);
    else
      insert into key_days as d (key_id, day, workspace_id, spent_nanos) values (i.key, p_day, i.workspace, more)
        on conflict (key_id, day) do update set spent_nanos = d.spent_nanos + excluded.spent_nanos;
    end if;
  end if;
  perform ledger_count_project(r.project_id, p_day, i.workspace, more);
  if more <> 0 then perform ledger_count_secret(i.hold, more); end if;
  if lost <> 0 then
    tx := nextval('ledger_transaction_ids');
    insert into ledger_legs (transaction_id, leg, account_id, kind, subject, amount_nanos)
    values (tx, 1, ledger_house('revenue', i.workspace), 'write_off correction', i.id, lost),
      (tx, 2, ledger_house('write_off', i.workspace), 'write_off correction contra', i.id, -lost);
  end if;
  insert into replaced_bills (request_id, workspace_id, model, route, usage, price_id)
  values (r.id, r.workspace_id, r.model, r.route, r.usage, r.price_id);
  update requests set status = i.status, cancelled = i.cancelled, usage = i.usage, cost_nanos = p_charge, written_off_nanos = i.cost - p_charge,
    hold_nanos = i.held, first_byte_ms = i.first, duration_ms = i.duration, stream_bytes = i.bytes, provisional = false,
    upstream = nullif(split_part(i.upstream, e'\x1f', 1), ''), routing = nullif(split_part(i.upstream, e'\x1f', 2), ''), attempts = i.attempts, finish_reason = i.finish, cached_tokens = i.cached, reasoning_tokens = i.reasoning,
    price_id = i.price
    where id = i.id;
  update usage_rollups u set summed_until = least(u.summed_until, ledger_sum_again(r.settled_at))
    where u.workspace_id = i.workspace and u.summed_until > r.settled_at;
end
$$;
