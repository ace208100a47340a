import { Migration } from '@mikro-orm/migrations';

/** What operators see of the whole platform: revenue by day, and the outcomes of the ledger's scheduled checks. */
export class Migration20261126167000_overview extends Migration {
  override name = 'Migration20261126167000_overview';

  override up(): void {
    this.addSql(
      `create table "revenue_days" ("day" date not null, "product" text not null, "model" text not null, "upstream" text not null, "calls" bigint not null, "charged_nanos" bigint not null, "written_off_nanos" bigint not null, "units" jsonb not null, primary key ("day", "product", "model", "upstream"));`,
    );
    this.addSql(
      `create table "revenue_rollups" ("id" text not null, "summed_until" date not null, primary key ("id"));`,
    );
    this.addSql(
      `create table "ledger_checks" ("id" text not null, "started_at" timestamptz not null, "entries" bigint not null, "transactions" bigint not null, "violations" jsonb not null, "checked_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql('create index "ledger_checks_age_index" on "ledger_checks" ("checked_at")');
    this.addSql('alter table processes add column "role" text null');
    for (const table of ['revenue_days', 'revenue_rollups', 'ledger_checks']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
    }
    this.addSql(
      'grant select, insert, update, delete on revenue_days, revenue_rollups, ledger_checks to ledgerline_system',
    );
  }

  override down(): void {
    this.addSql('alter table processes drop column "role"');
    this.addSql('drop table revenue_days');
    this.addSql('drop table revenue_rollups');
    this.addSql('drop table ledger_checks');
  }
}
