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
    this.addSql(SETTLE);
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

/**
 * Settles a batch of requests: entries, balances, holds, the keys' days and the requests' own rows, in one call.
 * A request that has a row already is passed over (a retry is a no-op). \`charge\` is what its hold covers, \`cost\` the true
 * price; the difference is written off, so that revenue shows the price and the customer never pays past a hold. Where the
 * hold is gone (its process was thought dead), the customer pays at most what is free.
 * Arrays are filled row by row and written once: plain statements start several times faster than one large one.
 * Returns the requests that were charged otherwise than asked, and those that had a row before with what it says.
 */
const SETTLE = `
create type ledger_settlement as (id text, workspace text, account text, key text, hold text, cost bigint, charge bigint, route text, model text,
  status int, cancelled boolean, usage jsonb, held bigint, started timestamptz, first int, duration int, bytes int);
create function ledger_settle(p_items json, p_flushed text[]) returns table (request_id text, charged_nanos bigint) language plpgsql as $$
declare
  items ledger_settlement[]; ids text[]; locked text[]; i ledger_settlement; a accounts; h holds; done text[]; today date := (now() at time zone 'utc')::date;
  account_ids text[]; balances bigint[]; counts bigint[]; heads bytea[]; n int := 0; uncovered_account text; uncovered bigint;
  kept ledger_settlement[]; days date[]; sequences bigint[]; afters bigint[]; links bytea[]; m int := 0;
  tx bigint; total_cost bigint := 0; total_charge bigint := 0;
begin
  select array_agg(s order by s.account), array_agg(s.id), array_agg(distinct s.account) into items, ids, locked
    from json_populate_recordset(null::ledger_settlement, p_items) s;
  perform from accounts where accounts.id = any (locked) order by accounts.id for update;
  done := array(select r.id from requests r where r.id = any (ids));
  if cardinality(p_flushed) > 0 then
    delete from request_progress g where g.request_id = any (p_flushed);
  end if;
  foreach i in array items loop
    if i.id = any (done) then
      request_id := i.id; charged_nanos := (select r.cost_nanos from requests r where r.id = i.id); return next;
      continue;
    end if;
    if n = 0 or account_ids[n] <> i.account then
      n := n + 1; account_ids[n] := i.account;
      select * into a from accounts where accounts.id = i.account;
      balances[n] := a.posted_nanos; counts[n] := a.entry_count; heads[n] := a.head_hash;
    end if;
    if h.id is null or h.id <> i.hold then
      -- Not "state = 'open'": that would be looked up among all open holds, in the partial index.
      select * into h from holds where holds.id = i.hold and ended_at is null;
    end if;
    m := m + 1; days[m] := coalesce(h.day, today);
    if h.id is null and i.charge > 0 then
      -- What is free is known as it was before the batch: what the batch takes of it is counted here.
      if uncovered_account is distinct from i.account then uncovered_account := i.account; uncovered := 0; end if;
      i.charge := (select greatest(0, least(i.charge, r.available - uncovered, r.key_free - uncovered)) from ledger_room(i.key) r);
      uncovered := uncovered + i.charge;
      request_id := i.id; charged_nanos := i.charge; return next;
    end if;
    total_cost := total_cost + i.cost; total_charge := total_charge + i.charge;
    if i.charge > 0 then
      counts[n] := counts[n] + 1; balances[n] := balances[n] - i.charge;
      heads[n] := ledger_link(heads[n], counts[n], 'debit', i.id, -i.charge, balances[n]);
      sequences[m] := counts[n]; afters[m] := balances[n]; links[m] := heads[n];
    end if;
    kept[m] := i;
  end loop;
  if m = 0 then return; end if;
  insert into requests (id, workspace_id, key_id, route, model, status, cancelled, usage, cost_nanos, written_off_nanos, hold_nanos,
    started_at, first_byte_ms, duration_ms, stream_bytes)
  select k.id, k.workspace, k.key, k.route, k.model, k.status, k.cancelled, k.usage, k.charge, k.cost - k.charge, k.held, k.started, k.first,
    k.duration, k.bytes from unnest(kept) k;
  update holds set
    amount_nanos = case kind when 'slice' then amount_nanos - s.total else amount_nanos end,
    state = case when kind = 'slice' then state when s.billed then 'settled' else 'released' end,
    ended_at = case kind when 'slice' then ended_at else now() end
  from (select k.hold, sum(k.charge)::bigint as total, bool_or(k.cost > 0) as billed from unnest(kept) k group by k.hold) s
  where holds.id = s.hold and holds.ended_at is null;
  if total_cost = 0 then return; end if;
  tx := nextval('ledger_transaction_ids');
  insert into ledger_entries (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos, hash, key_id)
  select tx, e.sequence_in_batch, e.account, e.workspace, 'debit', e.id, -e.charge, e.sequence, e.balance_after, e.link, e.key
    from (select k.id, k.account, k.workspace, k.key, k.charge, k.sequence, k.balance_after, k.link, k.sequence_in_batch
      from rows from (unnest(kept), unnest(sequences), unnest(afters), unnest(links)) with ordinality
      k(id, workspace, account, key, hold, cost, charge, route, model, status, cancelled, usage, held, started, first, duration, bytes,
        sequence, balance_after, link, sequence_in_batch)) e where e.charge > 0
  union all select tx, m + 1, 'revenue', null, 'revenue', 'settlement ' || tx, total_cost, null, null, null, null
  union all select tx, m + 2, 'write_off', null, 'write_off', 'settlement ' || tx, total_charge - total_cost, null, null, null, null
    where total_cost > total_charge;
  update accounts set posted_nanos = s.posted, entry_count = s.entries, head_hash = s.head
    from unnest(account_ids, balances, counts, heads) s(id, posted, entries, head) where accounts.id = s.id;
  insert into key_days as d (key_id, day, workspace_id, spent_nanos)
  select s.key, s.day, min(s.workspace), sum(s.charge)::bigint from (
    select k.key, k.workspace, k.charge, k.day from rows from (unnest(kept), unnest(days))
      k(id, workspace, account, key, hold, cost, charge, route, model, status, cancelled, usage, held, started, first, duration, bytes, day)) s
  where s.charge > 0 group by s.key, s.day
  on conflict (key_id, day) do update set spent_nanos = d.spent_nanos + excluded.spent_nanos;
end $$;
`;
