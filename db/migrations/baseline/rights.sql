-- Tenancy, enforced a second time below the queries: reads for a caller run as ledgerline_tenant, which sees the rows of one workspace
-- (`app.workspace_id`, set for the transaction). The platform itself runs as ledgerline_system, which may not change entries of the ledger.
-- Neither owns a table, and FORCE binds the owner as well.

-- Roles belong to the whole server: another database of it may have made them, or be making them this moment.
do $$ begin
  create role ledgerline_tenant nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  create role ledgerline_system nologin;
exception when duplicate_object or unique_violation then null;
end $$;
grant ledgerline_tenant, ledgerline_system to current_user;
grant usage on schema public to ledgerline_tenant, ledgerline_system;

-- Tenants read these tables: of each only the rows of their workspace, which the policies below let through.
grant select on
  accounts, agent_versions, agents, answer_parts, api_keys, batch_results, batches, bill_days, deployment_comments, deployments,
  entry_revisions, erasures, file_chunks, file_objects, files, holds, key_days, ledger_entries, model_prices, namespaces,
  payment_customers, payouts, platform_events, replaced_bills, request_retries, requests, response_items, rotated_secrets, run_events,
  run_feedback, run_meters, run_quotes, run_steps, run_usage, runs, save_operations, schedule_firings, schedules, session_entries,
  sessions, speech_history, topups, usage_hours, usage_rollups, voices, webhook_attempts, webhook_deliveries, webhook_endpoints,
  workspaces
  to ledgerline_tenant;

-- What the platform may do.
grant select on secrets to ledgerline_system;
grant select, insert on
  agent_versions, audit_entries, bill_days, bill_keys, bill_roots, ledger_entries, model_prices, replaced_bills, run_usage, workspaces
  to ledgerline_system;
grant select, insert, delete on
  deployment_comments, entry_revisions, file_chunks, platform_events, response_items, run_events, run_quotes
  to ledgerline_system;
grant select, insert, update on
  accounts, adjustments, agents, api_keys, deployments, erasures, key_days, namespaces, payment_events, payouts, rotated_secrets,
  run_meters, runs, topup_reversals, topups, webhook_keys
  to ledgerline_system;
grant select, insert, update, delete on
  balance_notices, batch_parts, batch_replies, batch_results, batches, client_secrets, credentials, event_mails, file_objects, files,
  holds, idempotency_keys, invitations, key_notices, members, offered_tools, passkeys, payment_customers, plugin_secrets,
  plugin_sign_in_attempts, plugin_sign_ins, plugins, processes, request_progress, request_retries, requests, review_trials,
  run_feedback, run_steps, save_operations, schedule_firings, schedules, session_entries, sessions, settlement_batches,
  speech_history, test_mails, throttles, two_factors, usage_hours, usage_rollups, user_sessions, users, verifications, voices,
  webhook_attempts, webhook_deliveries, webhook_endpoints
  to ledgerline_system;
grant select, insert, update, truncate on answer_parts, answer_parts_0, answer_parts_1, answer_parts_2 to ledgerline_system;

-- Policies of every table above: without one, a grant shows no row.
do $$
declare
  one text;
begin
  for one in select c.relname from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and exists (select from aclexplode(c.relacl) a where a.grantee = 'ledgerline_system'::regrole)
  loop
    execute format('alter table %I enable row level security', one);
    execute format('alter table %I force row level security', one);
    execute format('create policy system on %I to ledgerline_system using (true) with check (true)', one);
    continue when one in ('workspaces', 'model_prices') or not (
      has_table_privilege('ledgerline_tenant', one, 'select') or one in ('batch_parts', 'batch_replies'));
    execute format(
      'create policy tenant on %I for select to ledgerline_tenant using (workspace_id = current_setting(''app.workspace_id''))', one);
  end loop;
end $$;
create policy tenant on workspaces for select to ledgerline_tenant using (id = current_setting('app.workspace_id'));
-- A price list belongs to no workspace.
create policy tenant on model_prices for select to ledgerline_tenant using (true);


grant select, insert on mikro_orm_migrations to ledgerline_system;
grant usage on sequence ledger_transaction_ids, mikro_orm_migrations_id_seq to ledgerline_system;
grant update (name, clock_seconds, clock_target_seconds, clock_followed_to, clock_moving) on workspaces to ledgerline_system;
-- A finished upload gets its final id together with its bytes.
grant update (file_id) on file_chunks to ledgerline_system;
-- For erasures alone: see triggers.sql.
grant update (configuration) on agent_versions to ledgerline_system;
grant update (detail) on audit_entries to ledgerline_system;

-- The platform deletes no other holds and calls than those that have ended and billed nothing.
create policy ended on holds as restrictive for delete to ledgerline_system using (state <> 'open' and kind <> 'run');
create policy unbilled on requests as restrictive for delete to ledgerline_system using (
  cost_nanos = 0 and written_off_nanos = 0 and not provisional and not exists (
    select from ledger_entries e where e.subject = requests.id and e.kind in ('debit', 'correction', 'write_off correction')));
