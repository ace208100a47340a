-- Moves a part of a run's open hold to a new hold, for a run that it calls: nothing becomes free between them, and both count towards the
-- same day. False: the hold has ended, or has less.
create or replace function ledger_split(p_from text, p_to text, p_amount bigint) returns boolean language plpgsql as $$
declare
  h holds;
begin
  select * into h from holds where id = p_from and kind = 'run';
  perform from accounts a where a.id = h.account_id for update;
  select * into h from holds where id = p_from and ended_at is null and amount_nanos >= p_amount;
  if not found then return false; end if;
  update holds set amount_nanos = amount_nanos - p_amount where id = p_from;
  insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, partial, day, project_id)
  values (p_to, h.workspace_id, h.account_id, h.key_id, h.process_id, 'run', p_amount, false, h.day, h.project_id);
  return true;
end
$$;
