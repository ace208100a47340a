import { Migration } from '@mikro-orm/migrations';

/**
 * The ledger's rules, kept by the database itself. Everything that changes what an account may spend first locks the
 * account's row (several: in order of id), so each function below reads and writes under that one lock.
 */
export class Migration20261121110000_ledger extends Migration {
  override up(): void {
    this.addSql(`create sequence ledger_transaction_ids`);
    this.addSql(
      `insert into accounts (id, kind) values ('revenue', 'house'), ('write_off', 'house'), ('payments', 'house'), ('adjustments', 'house')`,
    );
    // Balances change with every batch: free room on the page keeps those updates off the indexes.
    this.addSql(`alter table accounts set (fillfactor = 50)`);
    this.addSql(`alter table holds set (fillfactor = 50)`);
    this.addSql(`alter table key_days set (fillfactor = 50)`);
    this.addSql(APPEND_ONLY);
    this.addSql(BALANCED);
    this.addSql(CHAIN);
    this.addSql(ROOM);
  }
}

const APPEND_ONLY = `
create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_entries is append-only: post a reversing transaction instead';
end $$;
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
`;

// Every statement must insert whole transactions: then the sum of each can be checked at once, per statement and not per row.
const BALANCED = `
create function ledger_refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (select from fresh group by transaction_id having sum(amount_nanos) <> 0) then
    raise exception 'the legs of a ledger transaction must sum to zero';
  end if;
  return null;
end $$;
create trigger ledger_entries_balanced after insert on ledger_entries
  referencing new table as fresh for each statement execute function ledger_refuse_unbalanced();
`;

// Hash chain of an account: each entry's hash covers its own text and the hash before it. Stable, like the conversions in it: called
// immutable it would not be inlined, and cost five times as much.
const CHAIN = `
create function ledger_link(head bytea, sequence bigint, kind text, subject text, amount bigint, balance_after bigint) returns bytea
language sql stable as $$
  select sha256(coalesce(head, '') || convert_to(sequence || '|' || kind || '|' || subject || '|' || amount || '|' || balance_after, 'UTF8'))
$$;
`;

// What a key may still spend in the period of a day, and why not: the caller holds the account's lock. Days are UTC by the
// database's clock; a hold that outlives its day grows by what is left of that day's period, not of the next.
const ROOM = `
create function ledger_room(p_key text, p_day date default null,
  out posted bigint, out available bigint, out key_left bigint, out key_free bigint) language sql as $$
  with k as (
    select k.*,
      case spend_limit_period when 'daily' then day when 'monthly' then date_trunc('month', day)::date else '-infinity' end as since,
      case spend_limit_period when 'daily' then day + 1 when 'monthly' then (date_trunc('month', day) + interval '1 month')::date
        else 'infinity' end as until
    from api_keys k, (select coalesce(p_day, (now() at time zone 'utc')::date) as day) d where k.id = p_key)
  select a.posted_nanos,
    a.posted_nanos - coalesce((select sum(h.amount_nanos) from holds h where h.account_id = a.id and h.state = 'open'), 0)::bigint,
    spend.key_left,
    spend.key_left - coalesce((select sum(h.amount_nanos) from holds h
      where h.account_id = a.id and h.state = 'open' and h.key_id = k.id and h.day >= k.since and h.day < k.until), 0)::bigint
  from k join accounts a on a.id = k.account_id,
    lateral (select k.spend_limit_nanos - coalesce((select sum(d.spent_nanos) from key_days d
      where d.key_id = k.id and d.day >= k.since and d.day < k.until), 0)::bigint as key_left) spend
$$;
`;
