import { Migration } from '@mikro-orm/migrations';

const TABLES = ['topups', 'topup_reversals', 'payment_customers', 'payment_events'];

/** What was ordered and paid through Stripe, and balances that a refund or a dispute may make negative. */
export class Migration20261123094000_payments extends Migration {
  override name = 'Migration20261123094000_payments';

  override up(): void {
    this.addSql(
      `create table "topups" ("id" text not null, "workspace_id" text not null, "origin" text not null, "session_id" text null, "payment_intent" text null, "amount_nanos" bigint not null, "livemode" boolean not null, "status" text not null default 'open', "receipt_url" text null, "refunded_nanos" bigint not null default '0', "disputed_nanos" bigint not null default '0', "reversal_count" int not null default 0, "request_id" text null, "created_at" timestamptz not null default now(), "paid_at" timestamptz null, primary key ("id"), constraint "topups_origin_check" check (origin in ('checkout', 'auto')), constraint "topups_status_check" check (status in ('open', 'processing', 'paid', 'failed', 'expired')), constraint "topups_amounts_check" check (amount_nanos > 0 and refunded_nanos >= 0 and disputed_nanos >= 0 and refunded_nanos + disputed_nanos <= amount_nanos));`,
    );
    for (const column of ['session_id', 'payment_intent'])
      this.addSql(`alter table topups add constraint topups_${column}_unique unique (${column});`);
    this.addSql(`create index "topups_workspace_id_index" on "topups" ("workspace_id");`);
    this.addSql(
      `create table "topup_reversals" ("id" text not null, "payment_intent" text not null, "kind" text not null, "amount_nanos" bigint not null, "state" text not null, "stage" smallint not null, "told_at" timestamptz not null, primary key ("id"), constraint "topup_reversals_kind_check" check (kind in ('refund', 'refunded_total', 'dispute')), constraint "topup_reversals_state_check" check (state in ('none', 'taken', 'returned')));`,
    );
    this.addSql(`create index "topup_reversals_payment_intent_index" on "topup_reversals" ("payment_intent");`);
    this.addSql(
      `create table "payment_customers" ("workspace_id" text not null, "customer_id" text not null, "payment_method_id" text null, "created_at" timestamptz not null default now(), primary key ("workspace_id"));`,
    );
    this.addSql(
      'alter table payment_customers add constraint payment_customers_customer_id_unique unique (customer_id);',
    );
    this.addSql(
      `create table "payment_events" ("id" text not null, "type" text not null, "outcome" text not null, "livemode" boolean not null, "received_at" timestamptz not null default now(), primary key ("id"));`,
    );
    for (const table of TABLES) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(`grant select, insert, update on ${table} to ledgerline_system`);
    }
    for (const table of ['topups', 'payment_customers']) {
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
    }
    this.addSql('drop function if exists ledger_post;');
    this.addSql("alter table accounts add column reversed_nanos bigint not null default '0';");
    this.addSql('alter table accounts drop constraint accounts_customer_check;');
    this.addSql(
      `alter table accounts add constraint accounts_customer_check check (kind = 'house' or (posted_nanos >= -reversed_nanos and workspace_id is not null));`,
    );
  }
}
