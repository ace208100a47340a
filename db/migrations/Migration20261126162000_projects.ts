import { Migration } from '@mikro-orm/migrations';

/**
 * Projects of a workspace. What belongs to none has null: the default project, which has no row. Every column is null or a constant, so no
 * table is written again.
 */
export class Migration20261126162000_projects extends Migration {
  override name = 'Migration20261126162000_projects';

  override up(): void {
    this.addSql(
      `create table "projects" ("id" text not null, "workspace_id" text not null, "name" text not null, "spend_limit_nanos" bigint null, "spend_limit_period" text null, "archived_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql('create index "projects_workspace_id_index" on "projects" ("workspace_id")');
    this.addSql(
      `alter table "projects" add constraint "projects_period_check" check (spend_limit_period in ('daily', 'monthly'))`,
    );
    this.addSql('alter table "projects" add constraint "projects_limit_check" check (spend_limit_nanos >= 0)');
    this.addSql(
      `create table "project_days" ("project_id" text not null, "day" date not null, "workspace_id" text not null, "spent_nanos" bigint not null default '0', primary key ("project_id", "day")) with (fillfactor = 50);`,
    );
    this.addSql('create index "project_days_workspace_id_index" on "project_days" ("workspace_id")');
    for (const table of ['projects', 'project_days']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
    }
    this.addSql('grant select, insert, update, delete on projects to ledgerline_system');
    this.addSql('grant select, insert, update on project_days to ledgerline_system');
    for (const table of ['api_keys', 'holds', 'requests', 'refused_calls', 'runs', 'alerts'])
      this.addSql(`alter table ${table} add column project_id text null`);
    this.addSql('alter table members add column project_ids text[] null');
    this.addSql(`alter table usage_hours add column project_id text not null default ''`);
    this.addSql(
      `alter table alerts add constraint alerts_project_check check (project_id is null or (kind = 'spend' and key_id is null)) not valid`,
    );
    // Readers limited to projects see the rows of these alone, whatever their query. The setting is read once for a query.
    this.addSql(
      `create policy projects on projects as restrictive for select to ledgerline_tenant using (${isSeen('id')})`,
    );
    for (const table of ['api_keys', 'requests', 'refused_calls', 'usage_hours', 'runs', 'project_days', 'alerts'])
      this.addSql(
        `create policy projects on ${table} as restrictive for select to ledgerline_tenant using (${isSeen('project_id')})`,
      );
  }

  override down(): void {
    for (const table of ['api_keys', 'requests', 'usage_hours', 'runs', 'alerts', 'refused_calls'])
      this.addSql(`drop policy projects on ${table}`);
    this.addSql('drop table projects, project_days');
    for (const table of ['api_keys', 'holds', 'requests', 'refused_calls', 'runs', 'alerts', 'usage_hours'])
      this.addSql(`alter table ${table} drop column project_id`);
    this.addSql('alter table members drop column project_ids');
  }
}

const LIMIT = `select coalesce(current_setting('app.project_ids', true), '')`;
// A case, because the planner takes an `or` for a rare truth, and would no longer read the newest rows by their index.
const isSeen = (column: string) =>
  `case when (${LIMIT}) = '' then true else coalesce(${column} = any (string_to_array((${LIMIT}), ',')), false) end`;
