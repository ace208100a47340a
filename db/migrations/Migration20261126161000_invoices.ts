import { Migration } from '@mikro-orm/migrations';

const TENANT = ['billing_details', 'invoices', 'payment_taxes'];

/** Invoices with the details that they name, and the tax of payments; who gets the mail of an alert. */
export class Migration20261126161000_invoices extends Migration {
  override name = 'Migration20261126161000_invoices';

  override up(): void {
    this.addSql(
      `create table "billing_details" ("workspace_id" text not null, "company" text null, "line1" text null, "line2" text null, "city" text null, "region" text null, "postal_code" text null, "country" text null, "tax_id_type" text null, "tax_id" text null, "purchase_order" text null, "email" text null, "updated_at" timestamptz not null default now(), primary key ("workspace_id"));`,
    );
    this.addSql(
      `create table "invoices" ("id" text not null, "workspace_id" text not null, "month" text not null, "is_test" boolean not null, "sequence" bigint not null, "number" text not null, "seller" jsonb not null, "customer" jsonb not null, "lines" jsonb not null, "net_nanos" bigint not null, "tax_nanos" bigint not null, "opening_nanos" bigint not null, "closing_nanos" bigint not null, "usage_nanos" bigint not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      'alter table "invoices" add constraint "invoices_workspace_month_unique" unique ("workspace_id", "month")',
    );
    this.addSql(
      'alter table "invoices" add constraint "invoices_series_sequence_unique" unique ("is_test", "sequence")',
    );
    this.addSql('create index "invoices_workspace_index" on "invoices" ("workspace_id", "created_at", "id")');
    this.addSql(
      `create table "invoice_series" ("is_test" boolean not null, "begins_after" text not null, "last_sequence" bigint not null default '0', primary key ("is_test"));`,
    );
    this.addSql(
      'create table "invoice_marks" ("workspace_id" text not null, "month" text not null, primary key ("workspace_id"));',
    );
    // The first invoices are for the month of this migration. Earlier months have statements.
    this.addSql(
      `insert into invoice_series (is_test, begins_after) select t, to_char((now() at time zone 'utc') - interval '1 month', 'YYYY-MM') from unnest(array[true, false]) t`,
    );
    this.addSql(
      `create table "payment_taxes" ("kind" text not null, "subject" text not null, "workspace_id" text not null, "tax_nanos" bigint not null, "reason" text null, primary key ("kind", "subject"));`,
    );
    this.addSql('create index "payment_taxes_workspace_id_index" on "payment_taxes" ("workspace_id")');
    this.addSql('alter table "topups" add column "is_taxed" boolean not null default false');
    this.addSql(`alter table "topups" add column "tax_nanos" bigint not null default '0'`);
    this.addSql(`alter table "topups" add column "refunded_tax_nanos" bigint not null default '0'`);
    this.addSql(`alter table "topups" add column "disputed_tax_nanos" bigint not null default '0'`);
    this.addSql('alter table "alerts" add column "recipients" text[] null');
    for (const table of [...TENANT, 'invoice_series', 'invoice_marks']) this.#protect(table);
    this.addSql('grant select, insert, update, delete on billing_details, invoice_marks to ledgerline_system');
    this.addSql('grant select, update on invoice_series to ledgerline_system');
    for (const table of ['invoices', 'payment_taxes']) {
      this.addSql(`grant select, insert on ${table} to ledgerline_system`);
      this.addSql(
        `create trigger ${table}_append_only before update or delete or truncate on ${table} for each statement execute function ledger_refuse_change()`,
      );
    }
  }

  #protect(table: string): void {
    this.addSql(`alter table ${table} enable row level security`);
    this.addSql(`alter table ${table} force row level security`);
    this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
    if (!TENANT.includes(table)) return;
    this.addSql(
      `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql(`grant select on ${table} to ledgerline_tenant`);
  }

  override down(): void {
    this.addSql('drop table billing_details, invoices, invoice_series, invoice_marks, payment_taxes');
    this.addSql('alter table topups drop column is_taxed, drop column tax_nanos, drop column refunded_tax_nanos');
    this.addSql('alter table topups drop column disputed_tax_nanos');
    this.addSql('alter table alerts drop column recipients');
  }
}
