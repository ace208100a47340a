import { Migration } from '@mikro-orm/migrations';

/** The files of archived months, and who moves a month at present. */
export class Migration20261127090010_archive extends Migration {
  override name = 'Migration20261127090010_archive';

  override up(): void {
    this.addSql(
      `create table "archive_files" ("key" text not null, "month" date not null, "dataset" text not null, "part" int not null, "rows" int not null, "bytes" bigint not null, "sha256" text not null, "first_value" text not null, "last_value" text not null, "after" jsonb null, "created_at" timestamptz not null default now(), primary key ("key"));`,
    );
    this.addSql(
      'alter table "archive_files" add constraint "archive_files_part_unique" unique ("month", "dataset", "part")',
    );
    this.addSql(
      `create table "archive_moves" ("month" date not null, "state" text not null default 'writing', "holder" text null, "held_until" timestamptz null, "error" text null, "started_at" timestamptz not null default now(), "verified_at" timestamptz null, "archived_at" timestamptz null, "dropped_at" timestamptz null, "manifest_key" text null, "manifest_sha256" text null, "manifest_bytes" int null, primary key ("month"));`,
    );
    this.addSql(
      `alter table "archive_moves" add constraint "archive_moves_state_check" check (state in ('writing', 'verifying', 'archived', 'dropped'))`,
    );
    for (const table of ['archive_files', 'archive_moves']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      // They name no workspace but those of a file's ends, and a reader of one must know where its rows are.
      this.addSql(`create policy tenant on ${table} for select to ledgerline_tenant using (true)`);
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
      this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
    }
  }

  override down(): void {
    this.addSql('drop table archive_files, archive_moves');
  }
}
