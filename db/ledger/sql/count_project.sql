-- Counts what was charged towards a project's day, if there is a project; less than zero for what was refunded.
create or replace function ledger_count_project(p_project text, p_day date, p_workspace text, p_nanos bigint) returns void language plpgsql as $$
begin
  if p_project is not null and p_nanos <> 0 then
    insert into project_days as d (project_id, day, workspace_id, spent_nanos) values (p_project, p_day, p_workspace, p_nanos)
      on conflict (project_id, day) do update set spent_nanos = d.spent_nanos + excluded.spent_nanos;
  end if;
end
$$;
