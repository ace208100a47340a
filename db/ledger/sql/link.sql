-- Hash chain of an account, first version (hash_version null), kept to verify its entries: each hash covers the entry's own text and the
-- hash before it. Stable, not immutable: an immutable function is not inlined and costs five times as much.
create or replace function ledger_link(
  head bytea, sequence bigint, kind text, subject text, amount bigint, balance_after bigint
) returns bytea language sql stable as $$
  select sha256(coalesce(head, '') || convert_to(sequence || '|' || kind || '|' || subject || '|' || amount || '|' || balance_after, 'UTF8'))
$$;
