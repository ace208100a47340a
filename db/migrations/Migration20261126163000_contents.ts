import { Migration } from '@mikro-orm/migrations';

/** Contents of calls: what keys that want it were asked and answered, for some days. */
export class Migration20261126163000_contents extends Migration {
  override name = 'Migration20261126163000_contents';

  override up(): void {
    this.addSql(
      `create table "request_contents" ("request_id" text not null, "workspace_id" text not null, "key_id" text not null, "sealed" bytea not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("request_id"));`,
    );
    // Ciphertext cannot be compressed.
    this.addSql('alter table request_contents alter column sealed set storage external');
    this.addSql('create index "request_contents_key_index" on "request_contents" ("workspace_id", "key_id")');
    this.addSql('create index "request_contents_expires_at_index" on "request_contents" ("expires_at")');
    this.addSql('alter table request_contents enable row level security');
    this.addSql('alter table request_contents force row level security');
    this.addSql('create policy system on request_contents to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on request_contents for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on request_contents to ledgerline_tenant');
    this.addSql('grant select, insert, update, delete on request_contents to ledgerline_system');
    this.addSql('alter table "api_keys" add column "log_days" int not null default 0');
  }

  override down(): void {
    this.addSql('alter table api_keys drop column log_days');
    this.addSql('drop table request_contents');
  }
}
