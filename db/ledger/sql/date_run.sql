-- Gives a run the time of its ledger entries. Reports find a run by its own time, and entries by theirs. A transaction that waited for the account
-- may have begun before a month's turn, with entries after it.
create or replace function ledger_date_run(p_run text, p_at timestamptz) returns void language plpgsql as $$
begin
  update runs r set settled_at = p_at where r.id = p_run and date_trunc('minute', r.settled_at) <> date_trunc('minute', p_at);
  if found then update run_usage u set settled_at = p_at where u.run_id = p_run; end if;
end
$$;
