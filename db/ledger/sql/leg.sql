-- The text of a house leg that a seal covers.
create or replace function ledger_leg(
  leg bigint, account text, workspace text, kind text, subject text, amount bigint
) returns text language sql stable as $$
  select leg || ':' || account || ':' || coalesce(workspace, '') || ':' || kind || ':' || subject || ':' || amount
$$;
