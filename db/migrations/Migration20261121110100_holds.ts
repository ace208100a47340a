import { Migration } from '@mikro-orm/migrations';

/** Taking, growing and returning holds; leases of processes; what ends a dead process's work; credits and reversals. */
export class Migration20261121110100_holds extends Migration {
  override up(): void {
    this.addSql(HOLD);
    this.addSql(EXTEND);
    this.addSql(GIVE_BACK);
    this.addSql(FLUSH);
    this.addSql(REAP);
    this.addSql(POST);
    this.addSql(REVERSE);
  }
}

/**
 * Takes a hold of at least \`p_need\` and at most \`p_want\`. Outcomes: granted; revoked (the key); reaped (the process);
 * balance, ceiling (nothing left); held (all that is left is held, but not spent); scarce (too little for a slice: slices take at
 * most a quarter of what is free, so that other processes and keys find something).
 * A request's or a run's hold may be smaller than it wants, but then it is the only such hold of its account: overshoot stays bounded.
 * A run that needs more than there is, were nothing held, is refused for that: no waiting would help.
 */
const HOLD = `
create function ledger_hold(p_id text, p_process text, p_key text, p_kind text, p_want bigint, p_need bigint,
  out outcome text, out granted bigint, out partial boolean, out day_left_ms bigint) language plpgsql as $$
declare
  k api_keys; r record; free bigint;
begin
  granted := 0; partial := false;
  day_left_ms := extract(epoch from (date_trunc('day', now() at time zone 'utc') + interval '1 day') - (now() at time zone 'utc')) * 1000;
  perform from processes p where p.id = p_process and p.reaped_at is null for share;
  if not found then outcome := 'reaped'; return; end if;
  select * into k from api_keys where id = p_key and revoked_at is null and (expires_at is null or expires_at > now());
  if not found then outcome := 'revoked'; return; end if;
  perform from accounts a where a.id = k.account_id for update;
  select * into r from ledger_room(p_key);
  free := least(r.available, r.key_free);
  granted := case p_kind when 'slice' then least(p_want, free / 4) else least(p_want, free) end;
  partial := granted < p_want and p_kind <> 'slice';
  outcome := case
    when r.posted <= 0 or (p_kind = 'run' and r.posted < p_need) then 'balance'
    when r.key_left <= 0 or (p_kind = 'run' and r.key_left < p_need) then 'ceiling'
    when p_kind = 'slice' and granted < p_need then 'scarce'
    when granted < p_need then 'held'
    when partial and exists (select from holds h where h.account_id = k.account_id and h.state = 'open' and h.partial) then 'held'
    else 'granted' end;
  if outcome <> 'granted' then granted := 0; return; end if;
  insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, partial, day)
  values (p_id, k.workspace_id, k.account_id, p_key, p_process, p_kind, granted, partial, (now() at time zone 'utc')::date);
end $$;
`;

/** Adds up to `p_more` to an open hold, of at most the `p_share`-th part of what is free. Returns what was added. */
const EXTEND = `
create function ledger_extend(p_id text, p_more bigint, p_share int) returns bigint language plpgsql as $$
declare
  h holds; r record; added bigint;
begin
  select * into h from holds where id = p_id;
  perform from accounts a where a.id = h.account_id for update;
  select * into h from holds where id = p_id and ended_at is null;
  if not found then return 0; end if;
  select * into r from ledger_room(h.key_id, h.day);
  added := greatest(0, least(p_more, least(r.available, r.key_free) / p_share));
  if h.kind <> 'slice' and added < p_more and not h.partial
    and exists (select from holds o where o.account_id = h.account_id and o.state = 'open' and o.partial) then
    return 0;
  end if;
  update holds set amount_nanos = amount_nanos + added, partial = h.kind <> 'slice' and added < p_more where id = p_id;
  return added;
end $$;
`;

/** Gives a part of a slice back; \`p_close\` ends it, when nothing that runs is covered by it any more. */
const GIVE_BACK = `
create function ledger_give_back(p_id text, p_amount bigint, p_close boolean) returns void language sql as $$
  update holds set amount_nanos = amount_nanos - p_amount,
    state = case when p_close then 'released' else state end, ended_at = case when p_close then now() else ended_at end
  where id = p_id and ended_at is null
$$;
`;

/** Renews a process's lease and keeps what its streams have produced. False: the process was thought dead and its holds are gone. */
const FLUSH = `
create function ledger_flush(p_process text, p_lease_ms int, p_progress json, p_used_keys text[]) returns boolean language plpgsql as $$
begin
  update processes set lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond' where id = p_process and reaped_at is null;
  if not found then return false; end if;
  insert into request_progress (request_id, process_id, settlement)
    select i ->> 'id', p_process, i from json_array_elements(p_progress) i
    on conflict (request_id) do update set settlement = excluded.settlement, updated_at = now();
  update api_keys set last_used_at = now() where id = any (p_used_keys);
  return true;
end $$;
`;

/** Ends what processes with an expired lease left: streams settle what was recorded, all other holds are released. */
const REAP = `
create function ledger_reap(out processes_reaped int, out requests_settled int, out holds_released int) language plpgsql as $$
declare
  dead text[]; items json; ids text[];
begin
  select coalesce(array_agg(d.id), '{}') into dead from (
    select p.id from processes p where p.reaped_at is null and p.lease_until < clock_timestamp() order by p.id for update skip locked) d;
  processes_reaped := cardinality(dead); requests_settled := 0; holds_released := 0;
  -- What a process has written down comes before what it had recorded of the same call; what is old was written by one that does not know.
  perform ledger_post_batches(array(
    select b.id from settlement_batches b where b.process_id = any (dead) or b.written_at < now() - interval '1 minute'));
  if processes_reaped = 0 then return; end if;
  perform from accounts a where a.id = any (array(select distinct h.account_id from holds h where h.process_id = any (dead) and h.state = 'open')) order by a.id collate "C" for update;
  select json_agg(g.settlement), array_agg(g.request_id) into items, ids from request_progress g where g.process_id = any (dead);
  if items is not null then
    perform ledger_settle_again(items, ids);
    requests_settled := cardinality(ids);
  end if;
  update holds set state = 'released', ended_at = now() where process_id = any (dead) and state = 'open';
  get diagnostics holds_released = row_count;
  update processes set reaped_at = now() where id = any (dead);
end $$;
`;

/** Moves money between a customer and a house account. False: that kind and subject were posted before. Throws when the customer would go below zero or below what is held. */
const POST = `
create function ledger_post(p_kind text, p_subject text, p_workspace text, p_house text, p_amount bigint) returns boolean language plpgsql as $$
declare
  a accounts; held bigint; link bytea; tx bigint;
begin
  select * into a from accounts where workspace_id = p_workspace for update;
  if not found then raise exception 'no account for workspace %', p_workspace; end if;
  if exists (select from ledger_entries e where e.kind = p_kind and e.subject = p_subject) then return false; end if;
  select coalesce(sum(h.amount_nanos), 0) into held from holds h where h.account_id = a.id and h.state = 'open';
  if p_amount < 0 and a.posted_nanos + p_amount < held then raise exception 'the balance does not cover this'; end if;
  link := ledger_link(a.head_hash, a.entry_count + 1, p_kind, p_subject, p_amount, a.posted_nanos + p_amount);
  tx := nextval('ledger_transaction_ids');
  insert into ledger_entries (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos, hash)
  values (tx, 1, a.id, p_workspace, p_kind, p_subject, p_amount, a.entry_count + 1, a.posted_nanos + p_amount, link),
    (tx, 2, p_house, null, p_kind || ' contra', p_subject, -p_amount, null, null, null);
  update accounts set posted_nanos = posted_nanos + p_amount, entry_count = entry_count + 1, head_hash = link where id = a.id;
  return true;
end $$;
`;

/**
 * Takes the bill of a request back whose answer never reached its caller, or makes sure that it is never billed: a later
 * settlement of the same request finds its row and passes it over. Returns what was given back.
 */
const REVERSE = `
create function ledger_reverse(p_item json) returns bigint language plpgsql as $$
declare
  bill ledger_entries; day_billed date;
begin
  perform from accounts a where a.id = p_item ->> 'account' for update;
  select * into bill from ledger_entries where kind = 'debit' and subject = p_item ->> 'id';
  if not found then
    perform ledger_settle_again(json_build_array(p_item), '{}');
    return 0;
  end if;
  if not ledger_post('refund', bill.subject, bill.workspace_id, 'revenue', -bill.amount_nanos) then return 0; end if;
  -- The process that owns the slice counts the call as never charged.
  update holds set amount_nanos = amount_nanos - bill.amount_nanos where id = p_item ->> 'hold' and kind = 'slice' and ended_at is null;
  select day into day_billed from holds where id = p_item ->> 'hold';
  update key_days set spent_nanos = spent_nanos + bill.amount_nanos
    where key_id = bill.key_id and day = coalesce(day_billed, (bill.created_at at time zone 'utc')::date);
  update requests set status = (p_item ->> 'status')::int, cost_nanos = 0 where id = bill.subject;
  return -bill.amount_nanos;
end $$;
`;
