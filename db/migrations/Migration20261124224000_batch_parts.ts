import { Migration } from '@mikro-orm/migrations';

/** Parts of batches that run as batches of an upstream, and what it has answered until that is billed. */
export class Migration20261124224000_batch_parts extends Migration {
  override name = 'Migration20261124224000_batch_parts';

  override up(): void {
    this.addSql(
      `create table "batch_parts" ("id" text not null, "batch_id" text not null, "workspace_id" text not null, "upstream" text not null, "model" text not null, "endpoint" text not null, "from_line" int not null, "from_byte" bigint not null, "to_line" int not null, "size_bytes" bigint not null, "hold_id" text not null, "held_nanos" bigint not null, "upstream_file_id" text null, "upstream_batch_id" text null, "created_at" timestamptz not null default now(), "cancelled_at" timestamptz null, "answered_at" timestamptz null, "ended_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql('create unique index batch_parts_open_index on batch_parts (batch_id) where ended_at is null');
    this.addSql(`create index "batch_parts_batch_id_index" on "batch_parts" ("batch_id");`);
    this.addSql(
      `create table "batch_replies" ("part_id" text not null, "line" int not null, "workspace_id" text not null, "reply" text not null, primary key ("part_id", "line"));`,
    );
    for (const table of ['batch_parts', 'batch_replies']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
    }
  }

  override down(): void {
    this.addSql('drop table batch_replies');
    this.addSql('drop table batch_parts');
  }
}
