import { Migration } from '@mikro-orm/migrations';

/** Programs that ask for a key through the console. */
export class Migration20261126210000_device_logins extends Migration {
  override name = 'Migration20261126210000_device_logins';

  override up(): void {
    this.addSql(
      `create table "device_logins" ("id" text not null, "device_hash" bytea not null, "user_hash" bytea not null, "client_name" text null, "address" text not null, "scopes" text[] null, "state" text not null default 'asked', "user_id" text null, "workspace_id" text null, "approved_key" jsonb null, "key_id" text null, "polled_at" timestamptz null, "created_at" timestamptz not null default now(), "expires_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "device_logins" add constraint "device_logins_device_hash_unique" unique ("device_hash"), add constraint "device_logins_user_hash_unique" unique ("user_hash");`,
    );
    for (const column of ['user_id', 'workspace_id', 'expires_at'])
      this.addSql(`create index "device_logins_${column}_index" on "device_logins" ("${column}");`);
    this.addSql(
      `alter table "device_logins" add constraint "device_logins_state_check" check (state in ('asked', 'approved', 'denied', 'used'));`,
    );
    this.addSql(
      `alter table "device_logins" add constraint "device_logins_approved_check" check (state in ('asked', 'denied') or (workspace_id is not null and user_id is not null and approved_key is not null));`,
    );
    this.addSql('alter table device_logins enable row level security');
    this.addSql('alter table device_logins force row level security');
    this.addSql('create policy system on device_logins to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on device_logins for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on device_logins to ledgerline_tenant');
    this.addSql('grant select, insert, update, delete on device_logins to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table device_logins');
  }
}
