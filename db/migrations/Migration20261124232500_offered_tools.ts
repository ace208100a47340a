import { Migration } from '@mikro-orm/migrations';

/** What workers offer to agents: their own tools, and those of plugins as they were seen last. */
export class Migration20261124232500_offered_tools extends Migration {
  override name = 'Migration20261124232500_offered_tools';

  override up(): void {
    this.addSql(
      `create table "offered_tools" ("name" text not null, "position" int not null, "kind" text not null, "description" text not null, "parameters" jsonb not null, "languages" jsonb null, primary key ("name"));`,
    );
    this.addSql(
      `create table "plugin_secrets" ("workspace_id" text not null, "plugin_id" text not null, "name" text not null, "sealed" text not null, "updated_at" timestamptz not null default now(), primary key ("workspace_id", "plugin_id", "name"));`,
    );
    for (const table of ['offered_tools', 'plugin_secrets']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
    }
    this.addSql(
      `alter table "plugins" add column "tools" jsonb null, add column "secrets" jsonb not null default '[]'`,
    );
  }

  override down(): void {
    this.addSql('alter table "plugins" drop column "tools", drop column "secrets"');
    this.addSql('drop table plugin_secrets');
    this.addSql('drop table offered_tools');
  }
}
