import { Migration } from '@mikro-orm/migrations';

/** The state of sessions in versions, and what agents remember of the end users of a workspace. */
export class Migration20261126203000_session_state extends Migration {
  override name = 'Migration20261126203000_session_state';

  override up(): void {
    this.addSql(
      `create table "session_states" ("session_id" text not null, "version" int not null, "workspace_id" text not null, "state" json not null, "run_id" text null, "step_id" text null, "created_at" timestamptz not null default now(), primary key ("session_id", "version"));`,
    );
    this.addSql(
      `create table "memories" ("id" text not null, "workspace_id" text not null, "project_id" text null, "agent_id" text not null, "agent" text not null, "end_user" text not null, "text" text not null, "run_id" text not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "expires_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql('create index "memories_workspace_index" on "memories" ("workspace_id", "created_at", "id")');
    this.addSql(
      'create index "memories_user_index" on "memories" ("workspace_id", "end_user", "agent_id", "created_at", "id")',
    );
    this.addSql('create index "memories_agent_index" on "memories" ("workspace_id", "agent", "created_at", "id")');
    this.addSql('create index memories_expiry_index on memories (expires_at) where expires_at is not null');
    for (const table of ['session_states', 'memories']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
    }
    // As for runs: readers limited to projects see what these projects' runs remembered.
    this.addSql(`create policy projects on memories as restrictive for select to ledgerline_tenant using (${IS_SEEN})`);
    this.addSql('grant select, insert, delete on session_states to ledgerline_system');
    this.addSql('grant select, insert, update, delete on memories to ledgerline_system');
    this.addSql('alter table "runs" add column "end_user" text null');
  }

  override down(): void {
    this.addSql('alter table runs drop column end_user');
    this.addSql('drop table memories, session_states');
  }
}

const LIMIT = `select coalesce(current_setting('app.project_ids', true), '')`;
const IS_SEEN = `case when (${LIMIT}) = '' then true else coalesce(project_id = any (string_to_array((${LIMIT}), ',')), false) end`;
