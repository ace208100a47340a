import { Migration } from '@mikro-orm/migrations';

export class Migration20261121142613_voices extends Migration {
  override name = 'Migration20261121142613_voices';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "speech_history" ("id" text not null, "workspace_id" text not null, "request_id" text not null, "source" text not null, "voice_id" text not null, "voice_name" text not null, "voice_category" text not null, "model_id" text not null, "text" text not null, "characters" int not null, "content_type" text not null, "output_format" text not null, "settings" jsonb null, "file_id" text null, "created_at" timestamptz not null default now(), "deleted_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index speech_history_workspace_index on speech_history (workspace_id, created_at, id);`);

    this.addSql(
      `create table "voices" ("id" text not null, "workspace_id" text not null, "name" text not null, "description" text null, "labels" jsonb not null default '{}', "settings" jsonb null, "measure" jsonb not null, "samples" jsonb not null default '[]', "upstream_ids" jsonb not null default '{}', "created_at" timestamptz not null default now(), "deleted_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "voices_workspace_id_index" on "voices" ("workspace_id");`);

    for (const table of ['voices', 'speech_history']) this.addSql(isolate(table));
    this.addSql('grant select, insert, update on voices, speech_history to ledgerline_system');
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "speech_history" cascade;`);
    this.addSql(`drop table if exists "voices" cascade;`);
  }
}

const isolate = (table: string) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy system on ${table} to ledgerline_system using (true) with check (true);
create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'));
grant select on ${table} to ledgerline_tenant;`;
