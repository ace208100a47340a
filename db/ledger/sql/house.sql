-- The house account on the other side of a workspace's money: one of its own for test workspaces, whose ids begin with wst_, so that no test
-- money counts as revenue, cost or earning. What test runs earn is one account for all publishers, because it is paid out to none; and so is
-- what it is cleared through.
create or replace function ledger_house(p_account text, p_workspace text) returns text language sql immutable as $$
  select case when not starts_with(p_workspace, 'wst_') then p_account when starts_with(p_account, 'payable_') then 'test_payable'
    when starts_with(p_account, 'clearing_') then 'test_clearing' else 'test_' || p_account end
$$;
