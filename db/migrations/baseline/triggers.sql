-- Tables that are never changed. The texts of the first two functions are in db/ledger/sql/, which replaces them.
create function ledger_refuse_change() returns trigger language plpgsql as $$ begin raise exception 'append-only'; end $$;
create function ledger_refuse_unbalanced() returns trigger language plpgsql as $$ begin raise exception 'unbalanced'; end $$;
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
-- Every statement inserts whole transactions: the sum of each is checked once, per statement and not per row.
create trigger ledger_entries_balanced after insert on ledger_entries
  referencing new table as fresh for each statement execute function ledger_refuse_unbalanced();
create trigger bill_keys_append_only before update or delete or truncate on bill_keys
  for each statement execute function ledger_refuse_change();
create trigger bill_roots_append_only before update or delete or truncate on bill_roots
  for each statement execute function ledger_refuse_change();
create trigger bill_days_append_only before update or delete or truncate on bill_days
  for each statement execute function ledger_refuse_change();
create trigger replaced_bills_append_only before update or delete or truncate on replaced_bills
  for each statement execute function ledger_refuse_change();

-- Nor are versions of agents and audit entries, except that an erasure empties one column of each.
create function agent_versions_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'agent_versions are never changed: make a new one instead';
end $$;
create function agent_versions_refuse_update() returns trigger language plpgsql as $$
begin
  if current_setting('ledgerline.erasing', true) = 'on' and to_jsonb(new) - 'configuration' = to_jsonb(old) - 'configuration' then
    return new;
  end if;
  raise exception 'agent_versions are never changed: make a new one instead';
end $$;
create trigger agent_versions_frozen before delete or truncate on agent_versions
  for each statement execute function agent_versions_refuse_change();
create trigger agent_versions_no_update before update on agent_versions
  for each row execute function agent_versions_refuse_update();
create function audit_entries_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_entries are never changed: make a new one instead';
end $$;
create function audit_entries_refuse_update() returns trigger language plpgsql as $$
begin
  if current_setting('ledgerline.erasing', true) = 'on' and to_jsonb(new) - 'detail' = to_jsonb(old) - 'detail' then
    return new;
  end if;
  raise exception 'audit_entries are never changed: make a new one instead';
end $$;
create trigger audit_entries_frozen before delete or truncate on audit_entries
  for each statement execute function audit_entries_refuse_change();
create trigger audit_entries_no_update before update on audit_entries
  for each row execute function audit_entries_refuse_update();

-- Webhooks: the transaction that adds an event adds its deliveries too, whichever code adds the event.
-- `special`: an endpoint that gets the event whatever its types, at `special_url`.
create function webhook_deliver(event text, owner text, kind text, special text, special_url text) returns void
language plpgsql as $$
begin
  insert into webhook_deliveries (id, event_id, endpoint_id, workspace_id, event_type, url)
  select 'whd_' || left(md5(event || e.id), 22), event, e.id, owner, kind, case when e.id = special then special_url end
  from webhook_endpoints e
  where e.workspace_id = owner and e.disabled_at is null and e.deleted_at is null
    and (e.id = special or cardinality(e.event_types) = 0 or kind = any (e.event_types));
  if found then perform pg_notify('ledgerline', '{"kind":"webhook"}'); end if;
end $$;
create function webhooks_of_platform_event() returns trigger language plpgsql as $$
begin
  perform webhook_deliver(new.id, new.workspace_id, new.type, null, null);
  return null;
end $$;
-- The id of a run's event is computed as by eventIdOf. A run's own URL goes to the endpoint whose secret signs for that address.
create function webhooks_of_run_event() returns trigger language plpgsql as $$
declare
  digits text := '';
  rest int := new.sequence;
  special text;
  special_url text;
begin
  for place in 1..6 loop
    digits := substr('0123456789abcdefghijklmnopqrstuvwxyz', rest % 36 + 1, 1) || digits;
    rest := rest / 36;
  end loop;
  select e.id, r.webhook_url into special, special_url from runs r
  join webhook_endpoints e on e.workspace_id = r.workspace_id and e.disabled_at is null and e.deleted_at is null
    and split_part(e.url, '?', 1) = split_part(r.webhook_url, '?', 1)
  where r.id = new.run_id and (r.webhook_events is null or new.type = any (r.webhook_events))
  order by e.created_at, e.id limit 1;
  perform webhook_deliver('evt_' || substr(new.run_id, 5) || digits, new.workspace_id, new.type, special, special_url);
  return null;
end $$;
create trigger webhooks after insert on run_events for each row
  when (new.type in ('run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached'))
  execute function webhooks_of_run_event();
create trigger webhooks after insert on platform_events for each row
  when (new.type not like 'webhook\_endpoint.%') execute function webhooks_of_platform_event();
