import { Migration } from '@mikro-orm/migrations';

/** The mails that events of a workspace send, each recorded with its event. */
export class Migration20261123150107_event_mails extends Migration {
  override name = 'Migration20261123150107_event_mails';

  override up(): void {
    this.addSql(
      `create table "event_mails" ("event_id" text not null, "recipient" text not null, "attempts" smallint not null default 0, "due_at" timestamptz null default now(), "created_at" timestamptz not null default now(), primary key ("event_id", "recipient"));`,
    );
    this.addSql('create index event_mails_due_index on event_mails (due_at) where due_at is not null');
    this.addSql('create index "event_mails_created_at_index" on "event_mails" ("created_at")');
    this.addSql('alter table event_mails enable row level security');
    this.addSql('alter table event_mails force row level security');
    this.addSql('create policy system on event_mails to ledgerline_system using (true) with check (true)');
    this.addSql('grant select, insert, update, delete on event_mails to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table event_mails');
  }
}
