import { Migration } from '@mikro-orm/migrations';

/** Which keys were noted to be near or at their spend limit, and an index by which old events are deleted. */
export class Migration20261123191002_key_notices extends Migration {
  override name = 'Migration20261123191002_key_notices';

  override up(): void {
    this.addSql(
      `create table "key_notices" ("key_id" text not null, "period_start" date not null, "level" smallint not null, primary key ("key_id"), constraint "key_notices_level_check" check (level in (0, 1, 2)));`,
    );
    this.addSql('alter table key_notices enable row level security');
    this.addSql('alter table key_notices force row level security');
    this.addSql('create policy system on key_notices to ledgerline_system using (true) with check (true)');
    this.addSql('grant select, insert, update, delete on key_notices to ledgerline_system');
    this.addSql('create index "platform_events_created_at_index" on "platform_events" ("created_at")');
    this.addSql('grant delete on platform_events to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop index platform_events_created_at_index');
    this.addSql('drop table key_notices');
  }
}
