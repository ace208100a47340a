-- The hash of what all legs of a transaction share: its id, its time, and its house legs (ledger_leg, joined by commas, in order). It is
-- stored in the first house leg, and the links of the customers' legs cover it.
create or replace function ledger_seal(
  tx bigint, at timestamptz, house text
) returns bytea language sql stable as $$
  select sha256(convert_to(tx || '|' || (extract(epoch from at) * 1000000)::bigint || '|' || coalesce(house, ''), 'UTF8'))
$$;
