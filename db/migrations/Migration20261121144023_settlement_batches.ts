import { Migration } from '@mikro-orm/migrations';

export class Migration20261121144023_settlement_batches extends Migration {
  override name = 'Migration20261121144023_settlement_batches';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "settlement_batches" ("id" text not null, "process_id" text not null, "settlements" text not null, "written_at" timestamptz not null default now(), primary key ("id"));`,
    );

    this.addSql(RESERVE);
    this.addSql('grant select, insert, update, delete on settlement_batches to ledgerline_system');
    // Rows live for milliseconds: what they leave is cleared away by its number alone, and nothing is compressed for so short a time.
    this.addSql(
      'alter table settlement_batches set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)',
    );
    this.addSql('alter table settlement_batches alter column settlements set storage external');
    this.addSql(POST_BATCHES);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "settlement_batches" cascade;`);
  }
}

const RESERVE = `
alter table settlement_batches enable row level security;
alter table settlement_batches force row level security;
create policy system on settlement_batches to ledgerline_system using (true) with check (true);`;

/**
 * Posts batches in the place of the process that wrote them. What it has posted meanwhile is passed over. A request that can't be settled
 * does not keep the others of its batch from being settled; its batch stays, for somebody to look at. All locks are taken at once, in the order that
 * everybody takes them in: batches, then accounts.
 */
const POST_BATCHES = `
create function ledger_post_batches(p_ids text[]) returns void language plpgsql as $$
declare
  b settlement_batches; item json; failed boolean;
begin
  if cardinality(p_ids) = 0 then return; end if;
  perform from settlement_batches s where s.id = any (p_ids) order by s.id collate "C" for update;
  perform from accounts a where a.id = any (array(
    select distinct e ->> 'account' from settlement_batches s, json_array_elements(s.settlements::json) e where s.id = any (p_ids)))
    order by a.id collate "C" for update;
  for b in select * from settlement_batches s where s.id = any (p_ids) order by s.id collate "C" loop
    failed := false;
    for item in select * from json_array_elements(b.settlements::json) loop
      begin
        perform ledger_settle_again(json_build_array(item), array[item ->> 'id']);
      exception when data_exception or integrity_constraint_violation or raise_exception then
        failed := true;
        raise warning 'the settlement % of batch % was refused: %', item ->> 'id', b.id, sqlerrm;
      end;
    end loop;
    if not failed then delete from settlement_batches s where s.id = b.id; end if;
  end loop;
end $$;
`;
