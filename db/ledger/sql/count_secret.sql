-- Counts what a call was charged against the client secret of its hold, if it has one; less than zero for what was refunded.
create or replace function ledger_count_secret(p_hold text, p_nanos bigint) returns void language plpgsql as $$
declare
  secret text := (select client_secret_id from holds where id = p_hold);
begin
  if secret is not null then
    update client_secrets set spent_nanos = spent_nanos + p_nanos where id = secret;
  end if;
end
$$;
