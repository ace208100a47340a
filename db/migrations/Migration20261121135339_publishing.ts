import { Migration } from '@mikro-orm/migrations';

export class Migration20261121135339_publishing extends Migration {
  override name = 'Migration20261121135339_publishing';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "platform_events" ("id" text not null, "workspace_id" text not null, "type" text not null, "resource_type" text not null, "resource_id" text not null, "data" jsonb not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "platform_events_workspace_id_index" on "platform_events" ("workspace_id");`);

    this.addSql(`create table "secrets" ("name" text not null, "value" bytea not null, primary key ("name"));`);

    for (const table of ['platform_events', 'secrets']) this.addSql(reserve(table));
    this.addSql(`create policy tenant on platform_events for select to ledgerline_tenant
      using (workspace_id = current_setting('app.workspace_id'))`);
    this.addSql('grant select on platform_events to ledgerline_tenant');
    this.addSql('grant select, insert on platform_events to ledgerline_system');
    this.addSql('grant select on secrets to ledgerline_system');
    // Two random numbers of 122 bits each: more chance than the digest has room for.
    this.addSql(
      `insert into secrets (name, value) values ('cursors', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid(), 'UTF8')))`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "platform_events" cascade;`);
    this.addSql(`drop table if exists "secrets" cascade;`);
  }
}

const reserve = (table: string) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy system on ${table} to ledgerline_system using (true) with check (true);`;
