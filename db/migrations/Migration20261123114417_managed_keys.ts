import { Migration } from '@mikro-orm/migrations';

/** Keys that are accepted from some addresses only, and earlier secrets of a key, which work for a while after a rotation. */
export class Migration20261123114417_managed_keys extends Migration {
  override name = 'Migration20261123114417_managed_keys';

  override up(): void {
    this.addSql('alter table api_keys add column allowed_ips text[] null, add column created_by text null;');
    this.addSql(
      `create table "rotated_secrets" ("hash" bytea not null, "workspace_id" text not null, "key_id" text not null, "expires_at" timestamptz not null, primary key ("hash"));`,
    );
    this.addSql(`create index "rotated_secrets_key_id_index" on "rotated_secrets" ("key_id");`);
    this.addSql('alter table rotated_secrets enable row level security');
    this.addSql('alter table rotated_secrets force row level security');
    this.addSql('create policy system on rotated_secrets to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on rotated_secrets for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on rotated_secrets to ledgerline_tenant');
    this.addSql('grant select, insert, update on rotated_secrets to ledgerline_system');
    this.addSql('create index audit_entries_age_index on audit_entries (created_at, id)');
  }

  override down(): void {
    this.addSql('drop index audit_entries_age_index');
    this.addSql('drop table rotated_secrets');
    this.addSql('alter table api_keys drop column allowed_ips, drop column created_by');
  }
}
