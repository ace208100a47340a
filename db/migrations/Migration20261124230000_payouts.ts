import { Migration } from '@mikro-orm/migrations';

/** Payouts of publishers' earnings, and the account of those that wait to be sent. */
export class Migration20261124230000_payouts extends Migration {
  override name = 'Migration20261124230000_payouts';

  override up(): void {
    this.addSql(`insert into accounts (id, kind) values ('payouts', 'house')`);
    this.addSql(
      `create table "payouts" ("id" text not null, "workspace_id" text not null, "amount_nanos" bigint not null, "destination" text not null, "status" text not null, "reference" text null, "reason" text null, "requested_by" text not null, "requester" text not null, "decided_by" text null, "decider" text null, "created_at" timestamptz not null default now(), "decided_at" timestamptz null, primary key ("id"), constraint "payouts_status_check" check (status in ('paid', 'requested', 'sent', 'rejected') and (status = 'paid') = (destination = 'balance')), constraint "payouts_destination_check" check (destination in ('balance', 'transfer')), constraint "payouts_amount_check" check (amount_nanos > 0), constraint "payouts_sent_check" check ((status = 'sent') = (reference is not null)), constraint "payouts_persons_check" check (status <> 'sent' or decided_by <> requested_by));`,
    );
    this.addSql('create index payouts_workspace_index on payouts (workspace_id, created_at, id)');
    this.addSql('alter table payouts enable row level security');
    this.addSql('alter table payouts force row level security');
    this.addSql('create policy system on payouts to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on payouts for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on payouts to ledgerline_tenant');
    this.addSql('grant select, insert, update on payouts to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table payouts');
  }
}
