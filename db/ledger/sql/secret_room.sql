-- What the limit of a client secret leaves: of what its calls have spent, and of what they hold too. Null without a limit. The caller holds the
-- lock of the account of its key.
create or replace function ledger_secret_room(p_secret text) returns bigint[] language sql as $$
  select array[s.spend_limit_nanos - s.spent_nanos, s.spend_limit_nanos - s.spent_nanos - coalesce((select sum(h.amount_nanos) from holds h
    join api_keys k on k.id = s.key_id where h.account_id = k.account_id and h.state = 'open' and h.client_secret_id = s.id), 0)]::bigint[]
  from client_secrets s where s.id = p_secret and s.spend_limit_nanos is not null
$$;
