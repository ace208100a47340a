import { Migration } from '@mikro-orm/migrations';

/** Signed daily roots of the ledger, the days of accounts that they cover, the keys that sign them, and bills that were replaced. */
export class Migration20261123214000_bill_roots extends Migration {
  override name = 'Migration20261123214000_bill_roots';

  override up(): void {
    this.addSql(
      `create table "bill_keys" ("id" text not null, "public_key" text not null, "sealed_key" text not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `create table "bill_roots" ("day" date not null, "signed" text not null, "signature" text not null, "key_id" text not null, "chunks" bytea not null, "created_at" timestamptz not null default now(), primary key ("day"));`,
    );
    this.addSql(
      `create table "bill_days" ("workspace_id" text not null, "day" date not null, "place" int not null, "account_id" text not null, "first_sequence" bigint not null, "last_sequence" bigint not null, "leaf" text not null, "chunks" bytea not null, primary key ("workspace_id", "day"));`,
    );
    this.addSql('alter table "bill_days" add constraint "bill_days_day_place_unique" unique ("day", "place");');
    this.addSql(
      `create table "replaced_bills" ("request_id" text not null, "workspace_id" text not null, "model" text not null, "route" text not null, "usage" jsonb not null, "price_id" text null, primary key ("request_id"));`,
    );
    for (const table of ['bill_keys', 'bill_roots', 'bill_days', 'replaced_bills']) {
      this.addSql(`create trigger ${table}_append_only before update or delete or truncate on ${table}
        for each statement execute function ledger_refuse_change()`);
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(`grant select, insert on ${table} to ledgerline_system`);
    }
    for (const table of ['bill_days', 'replaced_bills']) {
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
    }
  }

  override down(): void {
    for (const table of ['replaced_bills', 'bill_days', 'bill_roots', 'bill_keys']) this.addSql(`drop table ${table}`);
  }
}
