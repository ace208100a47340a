-- Refunds what a request was charged, once, and marks its row as failed. Returns the refund: 0 when it was never charged.
-- A refunded answer is no longer kept: a retry would get it for nothing.
create or replace function ledger_refund(p_request text, p_hold text, p_status int) returns bigint language plpgsql as $$
declare
  bill ledger_entries; day_billed date; settled timestamptz; project text;
begin
  select * into bill from ledger_entries where kind = 'debit' and subject = p_request;
  if not found then return 0; end if;
  if not ledger_post('refund', bill.subject, bill.workspace_id, 'revenue', -bill.amount_nanos) then return 0; end if;
  delete from answer_parts where request_id = p_request;
  -- The process that owns the slice counts the call as never charged.
  update holds set amount_nanos = amount_nanos - bill.amount_nanos where id = p_hold and kind = 'slice' and ended_at is null;
  select day into day_billed from holds where id = p_hold;
  update key_days set spent_nanos = spent_nanos + bill.amount_nanos
    where key_id = bill.key_id and day = coalesce(day_billed, (bill.created_at at time zone 'utc')::date);
  select project_id into project from requests where id = p_request;
  perform ledger_count_project(project, coalesce(day_billed, (bill.created_at at time zone 'utc')::date), bill.workspace_id, bill.amount_nanos);
  perform ledger_count_secret(p_hold, bill.amount_nanos);
  update requests set status = p_status, cost_nanos = 0 where id = bill.subject returning settled_at into settled;
  update usage_rollups u set summed_until = least(u.summed_until, ledger_sum_again(settled))
    where u.workspace_id = bill.workspace_id and u.summed_until > settled;
  return -bill.amount_nanos;
end
$$;
