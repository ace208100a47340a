-- The time of a workspace: the database's, and for a test workspace the one to which its clock was moved ahead.
create or replace function ledger_now(p_workspace text) returns timestamptz language sql stable as $$
  select case when starts_with(p_workspace, 'wst_')
    then now() + (select w.clock_seconds * interval '1 second' from workspaces w where w.id = p_workspace) else now() end
$$;
