import { Migration } from '@mikro-orm/migrations';

const TABLES = ['agent_tool_secrets', 'http_tool_tests'];

/** The signing secrets of agents' HTTP tools, and the tests of these tools. */
export class Migration20261126202000_http_tools extends Migration {
  override name = 'Migration20261126202000_http_tools';

  override up(): void {
    this.addSql(
      `create table "agent_tool_secrets" ("agent_id" text not null, "workspace_id" text not null, "secrets" jsonb not null, "rotated_at" timestamptz not null default now(), primary key ("agent_id"));`,
    );
    this.addSql(`create index "agent_tool_secrets_workspace_id_index" on "agent_tool_secrets" ("workspace_id");`);
    this.addSql(
      `create table "http_tool_tests" ("id" text not null, "workspace_id" text not null, "agent_id" text not null, "agent" text not null, "tool" jsonb not null, "arguments" jsonb not null, "result" jsonb null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "http_tool_tests_workspace_index" on "http_tool_tests" ("workspace_id", "created_at");`);
    for (const table of TABLES) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
      this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
    }
  }

  override down(): void {
    for (const table of TABLES) this.addSql(`drop table ${table}`);
  }
}
