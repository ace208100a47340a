import { Migration } from '@mikro-orm/migrations';

/** Files that are uploaded in parts. */
export class Migration20261125224000_file_uploads extends Migration {
  override name = 'Migration20261125224000_file_uploads';

  override up(): void {
    this.addSql(
      `create table "file_uploads" ("id" text not null, "workspace_id" text not null, "purpose" text not null, "filename" text not null, "size_bytes" bigint not null, "expires_in_seconds" int null, "status" text not null default 'pending', "file_id" text null, "created_at" timestamptz not null default now(), "expires_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "file_uploads" add constraint "file_uploads_status_check" check (status in ('pending', 'completed', 'cancelled'));`,
    );
    this.addSql('create index "file_uploads_workspace_id_index" on "file_uploads" ("workspace_id")');
    this.addSql('create index "file_uploads_expires_at_index" on "file_uploads" ("expires_at")');
    this.addSql('alter table file_uploads enable row level security');
    this.addSql('alter table file_uploads force row level security');
    this.addSql('create policy system on file_uploads to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on file_uploads for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on file_uploads to ledgerline_tenant');
    this.addSql('grant select, insert, update, delete on file_uploads to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table file_uploads');
  }
}
