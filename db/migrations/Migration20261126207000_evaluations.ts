import { Migration } from '@mikro-orm/migrations';

const TABLES = ['evaluation_sets', 'evaluation_runs', 'evaluation_results'];

/** Evaluation sets: the cases of agents, their runs, and the results of the cases. */
export class Migration20261126207000_evaluations extends Migration {
  override name = 'Migration20261126207000_evaluations';

  override up(): void {
    this.addSql(
      `create table "evaluation_sets" ("agent_id" text not null, "workspace_id" text not null, "revision" int not null default 1, "cases" jsonb not null, "updated_at" timestamptz not null default now(), primary key ("agent_id"));`,
    );
    this.addSql(
      `create table "evaluation_runs" ("id" text not null, "workspace_id" text not null, "agent_id" text not null, "key_id" text not null, "version_id" text not null, "version" text not null, "configuration_hash" text not null, "set_revision" int not null, "cases" jsonb not null, "case_count" int not null, "status" text not null default 'queued', "error" jsonb null, "max_cost_nanos" bigint null, "workflow_started_at" timestamptz null, "created_at" timestamptz not null default now(), "started_at" timestamptz null, "cancel_requested_at" timestamptz null, "ended_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(
      `create table "evaluation_results" ("evaluation_run_id" text not null, "place" int not null, "workspace_id" text not null, "status" text not null, "run_id" text null, "checks" jsonb not null, "error" jsonb null, "run_nanos" bigint not null, "judge_nanos" bigint not null, "duration_ms" int null, "created_at" timestamptz not null default now(), primary key ("evaluation_run_id", "place"));`,
    );
    this.addSql(
      `alter table "evaluation_runs" add constraint "evaluation_runs_status_check" check (status in ('queued', 'in_progress', 'passed', 'failed', 'cancelled'));`,
    );
    this.addSql(
      `alter table "evaluation_runs" add constraint "evaluation_runs_ended_check" check ((status in ('passed', 'failed', 'cancelled')) = (ended_at is not null));`,
    );
    this.addSql(
      `alter table "evaluation_results" add constraint "evaluation_results_status_check" check (status in ('passed', 'failed', 'errored', 'cancelled'));`,
    );
    for (const table of TABLES)
      this.addSql(`create index "${table}_workspace_id_index" on "${table}" ("workspace_id")`);
    this.addSql('create index "evaluation_runs_agent_index" on "evaluation_runs" ("agent_id", "created_at", "id")');
    this.addSql('create index evaluation_runs_open_index on evaluation_runs (created_at) where ended_at is null');
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
