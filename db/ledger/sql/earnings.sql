-- What a workspace's agents have earned and what was not paid out yet. Locks the account of its earnings until the commit, so that two
-- payouts do not both take the same money; a run that settles meanwhile only adds to it.
create or replace function ledger_earnings(p_workspace text) returns bigint language plpgsql as $$
declare
  earned bigint;
begin
  perform from accounts where workspace_id = p_workspace for update;
  perform from accounts where id = 'payable_' || p_workspace for update;
  select coalesce(sum(amount_nanos), 0) into earned from ledger_legs where account_id = 'payable_' || p_workspace;
  return earned;
end
$$;
