import { Migration } from '@mikro-orm/migrations';

/** Calls summed by the hour, for reports; and the entries that change a bill later, which reports look up by workspace. */
export class Migration20261123115300_usage_hours extends Migration {
  override name = 'Migration20261123115300_usage_hours';

  override up(): void {
    this.addSql(
      'create table "usage_hours" ("workspace_id" text not null, "hour" timestamptz not null, "key_id" text not null, "model" text not null, "route" text not null, "price_id" text not null, "requests" bigint not null, "errors" bigint not null, "cost_nanos" bigint not null, "units" jsonb not null, primary key ("workspace_id", "hour", "key_id", "model", "route", "price_id"));',
    );
    this.addSql(
      'create table "usage_rollups" ("workspace_id" text not null, "summed_until" timestamptz not null, primary key ("workspace_id"));',
    );
    for (const table of ['usage_hours', 'usage_rollups']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
      this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
    }
    this.addSql(
      `create index ledger_entries_changes_index on ledger_entries (workspace_id, created_at) where kind in ('refund', 'correction');`,
    );
  }

  override down(): void {
    this.addSql('drop table if exists "usage_hours", "usage_rollups" cascade;');
  }
}
