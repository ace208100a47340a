import { Migration } from '@mikro-orm/migrations';

/** Alerts on spending and on how long the balance lasts, which people set. */
export class Migration20261126150000_alerts extends Migration {
  override name = 'Migration20261126150000_alerts';

  override up(): void {
    this.addSql(
      `create table "alerts" ("id" text not null, "workspace_id" text not null, "kind" text not null, "key_id" text null, "amount_nanos" bigint null, "period" text null, "percentages" int[] not null, "days" int null, "mail" boolean not null, "told_level" int not null default 0, "told_period" date null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "alerts" add constraint "alerts_kind_check" check ((kind = 'spend' and amount_nanos > 0 and period in ('daily', 'monthly') and days is null) or (kind = 'runway' and days > 0 and amount_nanos is null and period is null and key_id is null));`,
    );
    this.addSql('create index "alerts_workspace_index" on "alerts" ("workspace_id", "created_at", "id")');
    this.addSql('alter table alerts enable row level security');
    this.addSql('alter table alerts force row level security');
    this.addSql('create policy system on alerts to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on alerts for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on alerts to ledgerline_tenant');
    this.addSql('grant select, insert, update, delete on alerts to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table alerts');
  }
}
