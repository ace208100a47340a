import { Migration } from '@mikro-orm/migrations';

/** What operators change of the catalogue while it runs, the prices of its models in time, and what upstreams cost. */
export class Migration20261126160000_catalog extends Migration {
  override name = 'Migration20261126160000_catalog';

  override up(): void {
    this.addSql('alter table "model_prices" add column "of_price_id" text null');
    this.addSql(
      `create table "catalog_changes" ("kind" text not null, "name" text not null, "change" jsonb not null, "disabled" boolean null, "sealed_key" text null, "key_last4" text null, "changed_by" text not null, "changer" text not null, "changed_at" timestamptz not null default now(), primary key ("kind", "name"));`,
    );
    this.addSql(
      `alter table "catalog_changes" add constraint "catalog_changes_kind_check" check (kind in ('upstream', 'model') and (kind = 'upstream' or sealed_key is null));`,
    );
    this.addSql(
      `create table "catalog_prices" ("id" text not null, "model" text not null, "price_id" text not null, "rates" jsonb not null, "batch_percentage" int null, "follows_file" boolean not null default false, "source" text not null, "status" text not null, "reason" text null, "holds_from" timestamptz null, "valid_from" timestamptz null, "proposed_by" text null, "proposer" text null, "created_at" timestamptz not null default now(), "decided_by" text null, "decider" text null, "decided_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "catalog_prices" add constraint "catalog_prices_source_check" check ((source = 'file' and follows_file and status = 'approved') or (source = 'operator' and proposed_by is not null));`,
    );
    this.addSql(
      `alter table "catalog_prices" add constraint "catalog_prices_status_check" check (status in ('pending', 'approved', 'rejected', 'withdrawn') and (status = 'approved') = (valid_from is not null));`,
    );
    this.addSql(
      `alter table "catalog_prices" add constraint "catalog_prices_second_person_check" check (source <> 'operator' or status <> 'approved' or (decided_by is not null and decided_by <> proposed_by and valid_from >= decided_at));`,
    );
    this.addSql(
      `create index "catalog_prices_model_index" on "catalog_prices" ("model", "valid_from") where status = 'approved'`,
    );
    this.addSql('create index "catalog_prices_created_index" on "catalog_prices" ("created_at", "id")');
    this.addSql('create index "catalog_prices_price_index" on "catalog_prices" ("price_id")');
    this.addSql(
      `create table "upstream_costs" ("id" text not null, "model" text not null, "upstream" text not null, "rates" jsonb not null, "stated_by" text not null, "stater" text not null, "valid_from" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      'create index "upstream_costs_model_index" on "upstream_costs" ("model", "upstream", "valid_from" desc)',
    );
    // A decision is final: the history of prices shows what was charged.
    this.addSql(`
create function catalog_prices_final() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' then raise exception 'the price % is decided', old.id; end if;
  return new;
end $$`);
    this.addSql(
      'create trigger catalog_prices_final before update on catalog_prices for each row execute function catalog_prices_final()',
    );
    for (const table of ['catalog_changes', 'catalog_prices', 'upstream_costs']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
    }
    // Customers read the prices that hold or held, and nothing else of it.
    this.addSql(`create policy tenant on catalog_prices for select to ledgerline_tenant using (status = 'approved')`);
    this.addSql('grant select on catalog_prices to ledgerline_tenant');
    this.addSql('grant select, insert, update, delete on catalog_changes to ledgerline_system');
    this.addSql('grant select, insert on catalog_prices, upstream_costs to ledgerline_system');
    this.addSql(
      'grant update (status, valid_from, decided_by, decider, decided_at) on catalog_prices to ledgerline_system',
    );
  }

  override down(): void {
    for (const table of ['catalog_changes', 'catalog_prices', 'upstream_costs']) this.addSql(`drop table ${table}`);
    this.addSql('drop function catalog_prices_final()');
    this.addSql('alter table "model_prices" drop column "of_price_id"');
  }
}
