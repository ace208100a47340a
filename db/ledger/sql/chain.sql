-- Hash chain of an account, second version: each entry's hash covers the hash before it, the seal of its transaction (id, time, house legs)
-- and its own columns. Stable, not immutable: an immutable function is not inlined and costs five times as much.
create or replace function ledger_chain(
  head bytea, seal bytea, leg bigint, sequence bigint, kind text, subject text, amount bigint, balance_after bigint, key text
) returns bytea language sql stable as $$
  select sha256(coalesce(head, '') || seal || convert_to(leg || '|' || sequence || '|' || kind || '|' || subject || '|' || amount || '|'
    || balance_after || '|' || coalesce(key, ''), 'UTF8'))
$$;
