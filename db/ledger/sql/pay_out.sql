-- Takes a payout from a workspace's earnings: to its own balance, or to the account `payouts` until an operator has sent it. Refuses more
-- than was earned and not paid out yet.
create or replace function ledger_pay_out(p_payout text, p_workspace text, p_to text, p_amount bigint) returns void
language plpgsql as $$
begin
  if p_amount > ledger_earnings(p_workspace) then raise exception 'the earnings do not cover this'; end if;
  if p_to = 'balance' then
    perform ledger_post('payout', p_payout, p_workspace, 'payable_' || p_workspace, p_amount);
  else
    perform ledger_move('payout_hold', p_payout, 'payable_' || p_workspace, 'payouts', p_amount);
  end if;
end
$$;
