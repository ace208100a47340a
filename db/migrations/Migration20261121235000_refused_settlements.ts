import { Migration } from '@mikro-orm/migrations';

/** What can't be settled is kept, where it is seen, and keeps nothing else from being settled. */
export class Migration20261121235000_refused_settlements extends Migration {
  override name = 'Migration20261121235000_refused_settlements';

  override up(): void | Promise<void> {
    this.addSql(`alter table "settlement_batches" add "refusal" text null;`);
    this.addSql('drop function ledger_post_batches(text[])');
    this.addSql(POST_BATCHES);
    this.addSql(REAP);
    this.addSql(SETTLE_AGAIN);
  }
}

/**
 * Posts batches request by request, in the place of the process that wrote them or because one of them is not as it should be. What was posted
 * meanwhile is passed over. Returns what each was charged. One that can't be settled does not keep the others from being settled: it is
 * kept as a batch of its own, with the reason, and its hold is released; should it be settled after all, it is charged from what is free
 * then. What does not come to its turn within \`p_limit\` of the first stays in its batch. All locks are taken at once, in the order that everybody takes them in:
 * batches, then accounts.
 */
const POST_BATCHES = `
create function ledger_post_batches(p_ids text[], p_limit interval) returns table (request_id text, charged_nanos bigint) language plpgsql as $$
declare
  b settlement_batches; item json; rest json[]; refused boolean; until timestamptz;
begin
  if cardinality(p_ids) = 0 then return; end if;
  perform from settlement_batches s where s.id = any (p_ids) order by s.id collate "C" for update;
  perform from accounts a where a.id = any (array(
    select distinct e ->> 'account' from settlement_batches s, json_array_elements(s.settlements::json) e where s.id = any (p_ids)))
    order by a.id collate "C" for update;
  for b in select * from settlement_batches s where s.id = any (p_ids) order by s.id collate "C" loop
    rest := '{}'; refused := false;
    for item in select * from json_array_elements(b.settlements::json) loop
      if clock_timestamp() > until then rest := rest || item; continue; end if;
      begin
        select a.request_id, a.charged_nanos into request_id, charged_nanos
          from ledger_settle_again(json_build_array(item), array[item ->> 'id']) a;
        return next;
      exception when data_exception or integrity_constraint_violation or raise_exception then
        refused := true;
        delete from request_progress g where g.request_id = item ->> 'id';
        update holds set state = 'released', ended_at = now() where id = item ->> 'hold' and kind = 'request' and ended_at is null;
        insert into settlement_batches as s (id, process_id, settlements, refusal)
          select 'refused_' || (item ->> 'id'), b.process_id,
            json_build_array(json_object_agg(f.key, case f.key when 'hold' then '""'::json else f.value end))::text, sqlerrm from json_each(item) f
          on conflict (id) do update set refusal = excluded.refusal;
        raise warning 'the settlement % of batch % was refused: %', item ->> 'id', b.id, sqlerrm;
      end;
      until := coalesce(until, clock_timestamp() + p_limit);
    end loop;
    if cardinality(rest) > 0 then update settlement_batches s set settlements = array_to_json(rest)::text where s.id = b.id;
    elsif b.refusal is null or not refused then delete from settlement_batches s where s.id = b.id; end if;
  end loop;
end $$;
`;

/**
 * Ends what processes with an expired lease left: streams settle what was recorded, all other holds are released. What was recorded
 * becomes a batch, whose name comes after those that the process wrote: what it has written down of a call comes first.
 */
const REAP = `
create or replace function ledger_reap(out processes_reaped int, out requests_settled int, out holds_released int) language plpgsql as $$
declare
  dead text[];
begin
  select coalesce(array_agg(d.id), '{}') into dead from (
    select p.id from processes p where p.reaped_at is null and p.lease_until < clock_timestamp() order by p.id for update skip locked) d;
  processes_reaped := cardinality(dead); requests_settled := 0; holds_released := 0;
  if processes_reaped = 0 then return; end if;
  select count(*) into requests_settled from request_progress g where g.process_id = any (dead);
  insert into settlement_batches (id, process_id, settlements)
    select 'streams_' || g.process_id, g.process_id, json_agg(g.settlement)::text from request_progress g
    where g.process_id = any (dead) group by g.process_id;
  perform ledger_post_batches(array(select b.id from settlement_batches b where b.process_id = any (dead) and b.refusal is null), interval '3 seconds');
  perform from accounts a where a.id = any (array(select distinct h.account_id from holds h where h.process_id = any (dead) and h.state = 'open')) order by a.id collate "C" for update;
  update holds set state = 'released', ended_at = now() where process_id = any (dead) and state = 'open';
  get diagnostics holds_released = row_count;
  update processes set reaped_at = now() where id = any (dead);
end $$;
`;

/**
 * Settles requests one by one of which it is not known whether they were settled before (then nothing happens) or whether their hold is
 * still there: where it is gone (its process was thought dead), the customer pays at most what is free, of the day on which it was placed.
 * Returns what each was charged.
 */
const SETTLE_AGAIN = `
create or replace function ledger_settle_again(p_items json, p_flushed text[]) returns table (request_id text, charged_nanos bigint) language plpgsql as $$
declare
  i ledger_settlement; is_held boolean; admitted date;
begin
  perform from accounts a where a.id = any (array(select e ->> 'account' from json_array_elements(p_items) e))
    order by a.id collate "C" for update;
  delete from request_progress g where g.request_id = any (p_flushed);
  for i in select * from json_populate_recordset(null::ledger_settlement, p_items) loop
    request_id := i.id;
    charged_nanos := (select r.cost_nanos from requests r where r.id = i.id);
    if charged_nanos is null then
      -- Not "state = 'open'": that would be looked up among all open holds, in the partial index.
      is_held := exists (select from holds h where h.id = i.hold and h.ended_at is null);
      admitted := coalesce((select h.day from holds h where h.id = i.hold), (now() at time zone 'utc')::date);
      charged_nanos := case when is_held or i.charge = 0 then i.charge
        else (select greatest(0, least(i.charge, r.available, r.key_free)) from ledger_room(i.key, admitted) r) end;
      perform ledger_settle('{}', array[i.account], case when is_held then array[i.hold] else '{}' end, array[charged_nanos], array[i.cost > 0], '{}',
        array[1], array[i.id], array[i.workspace], array[i.key], array[i.cost], array[charged_nanos], array[i.route], array[i.model],
        array[i.status], array[i.cancelled], array[i.usage], array[i.held], array[i.started], array[i.first], array[i.duration], array[i.bytes]);
      if not is_held and charged_nanos > 0 then
        insert into key_days as d (key_id, day, workspace_id, spent_nanos)
        values (i.key, admitted, i.workspace, charged_nanos)
        on conflict (key_id, day) do update set spent_nanos = d.spent_nanos + excluded.spent_nanos;
      end if;
    end if;
    return next;
  end loop;
end $$;
`;
