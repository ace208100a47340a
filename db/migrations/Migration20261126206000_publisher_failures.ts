import { Migration } from '@mikro-orm/migrations';

/** What publishers see of the runs of their agents: sums by the hour, alerts, and runs that callers have shared. */
export class Migration20261126206000_publisher_failures extends Migration {
  override name = 'Migration20261126206000_publisher_failures';

  override up(): void {
    this.addSql(
      `create table "agent_hours" ("workspace_id" text not null, "agent_id" text not null, "hour" timestamptz not null, "version_id" text not null, "is_own" boolean not null, "status" text not null, "code" text not null, "fault" text not null, "version" text not null, "runs" int not null, "gross_nanos" bigint not null, "earned_nanos" bigint not null, "platform_cost_nanos" bigint not null, "absorbed_nanos" bigint not null, "durations" jsonb not null, primary key ("workspace_id", "agent_id", "hour", "version_id", "is_own", "status", "code", "fault"));`,
    );
    this.addSql(
      `create table "agent_rollups" ("workspace_id" text not null, "agent_id" text not null, "summed_until" timestamptz not null, primary key ("workspace_id", "agent_id"));`,
    );
    this.addSql(
      `create table "agent_alerts" ("id" text not null, "workspace_id" text not null, "agent_id" text not null, "kind" text not null, "threshold" int not null, "window_minutes" int not null, "runs_min" int not null, "faults" text[] not null, "mail" boolean not null, "recipients" text[] null, "is_failing" boolean not null default false, "changed_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "agent_alerts" add constraint "agent_alerts_kind_check" check (kind in ('failure_rate', 'failures') and threshold > 0 and (kind = 'failures' or threshold <= 100) and window_minutes > 0 and runs_min > 0);`,
    );
    this.addSql('create index "agent_alerts_workspace_index" on "agent_alerts" ("workspace_id", "created_at", "id")');
    this.addSql(
      `create table "run_shares" ("run_id" text not null, "workspace_id" text not null, "publisher_workspace_id" text not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "revoked_at" timestamptz null, "read_at" timestamptz null, primary key ("run_id"));`,
    );
    this.addSql('create index "run_shares_workspace_index" on "run_shares" ("workspace_id")');
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

const TABLES = ['agent_hours', 'agent_rollups', 'agent_alerts', 'run_shares'];
