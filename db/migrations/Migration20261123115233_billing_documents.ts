import { Migration } from '@mikro-orm/migrations';

/** What a saved card is and why it last failed, and adjustments of balances, which two operators decide. */
export class Migration20261123115233_billing_documents extends Migration {
  override name = 'Migration20261123115233_billing_documents';

  override up(): void {
    this.addSql(
      `alter table payment_customers add column card_brand text null, add column card_last4 text null, add column auto_enabled boolean not null default true, add column last_error text null;`,
    );
    this.addSql(
      `create table "adjustments" ("id" text not null, "workspace_id" text not null, "amount_nanos" bigint not null, "reason" text not null, "status" text not null default 'pending', "requested_by" text not null, "requester" text not null, "decided_by" text null, "decider" text null, "created_at" timestamptz not null default now(), "decided_at" timestamptz null, primary key ("id"), constraint "adjustments_status_check" check (status in ('pending', 'approved', 'rejected')), constraint "adjustments_amount_check" check (amount_nanos <> 0), constraint "adjustments_persons_check" check (status <> 'approved' or decided_by <> requested_by));`,
    );
    this.addSql('alter table adjustments enable row level security');
    this.addSql('alter table adjustments force row level security');
    this.addSql('create policy system on adjustments to ledgerline_system using (true) with check (true)');
    this.addSql('grant select, insert, update on adjustments to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table adjustments');
    this.addSql(
      'alter table payment_customers drop column card_brand, drop column card_last4, drop column auto_enabled, drop column last_error',
    );
  }
}
