import { Migration } from '@mikro-orm/migrations';

/** Each content that a file of a session has had. */
export class Migration20261123163600_entry_revisions extends Migration {
  override name = 'Migration20261123163600_entry_revisions';

  override up(): void {
    this.addSql(
      `create table "entry_revisions" ("id" text not null, "workspace_id" text not null, "session_id" text not null, "entry_id" text not null, "file_id" text not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql('create index entry_revisions_entry_index on entry_revisions (entry_id, created_at, id)');
    this.addSql('create index entry_revisions_file_index on entry_revisions (file_id)');
    this.addSql('alter table entry_revisions enable row level security');
    this.addSql('alter table entry_revisions force row level security');
    this.addSql('create policy system on entry_revisions to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on entry_revisions for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on entry_revisions to ledgerline_tenant');
    this.addSql('grant select, insert, delete on entry_revisions to ledgerline_system');
    this.addSql(
      `insert into entry_revisions (id, workspace_id, session_id, entry_id, file_id, created_at)
       select revision_id, workspace_id, session_id, id, file_id, updated_at from session_entries where kind = 'file'`,
    );
  }

  override down(): void {
    this.addSql('drop table entry_revisions');
  }
}
