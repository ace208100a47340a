import { Migration } from '@mikro-orm/migrations';

/** Where the bytes of a file are, if they are in a store of objects. */
export class Migration20261125073000_file_objects extends Migration {
  override name = 'Migration20261125073000_file_objects';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "file_objects" ("file_id" text not null, "position" int not null, "workspace_id" text not null, "key" text not null, "size_bytes" bigint not null, primary key ("file_id", "position"));`,
    );
    this.addSql('create index file_objects_workspace_index on file_objects (workspace_id)');
    this.addSql('alter table file_objects enable row level security');
    this.addSql('alter table file_objects force row level security');
    this.addSql('create policy system on file_objects to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on file_objects for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on file_objects to ledgerline_tenant');
    this.addSql('grant select, insert, update, delete on file_objects to ledgerline_system');
  }

  override down(): void | Promise<void> {
    this.addSql('drop table if exists "file_objects" cascade;');
  }
}
