import { Migration } from '@mikro-orm/migrations';

const TABLES = ['flow_rules', 'flow_places', 'flow_queues'];

/** Flow control of runs: rules of workspaces for agents, the places of waiting and admitted runs, and the order of those that wait. */
export class Migration20261126204000_flow_control extends Migration {
  override name = 'Migration20261126204000_flow_control';

  override up(): void {
    this.addSql(`alter table "runs" add column "priority" int not null default 0, add column "flow" jsonb null;`);
    this.addSql(
      `create table "flow_rules" ("id" text not null, "workspace_id" text not null, "agent" text not null, "concurrency_limit" int null, "concurrency_key" text null, "rate_limit" int null, "rate_period_seconds" int null, "rate_key" text null, "rate_exceeded" text null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`alter table "flow_rules" add constraint "flow_rules_agent_unique" unique ("workspace_id", "agent");`);
    this.addSql(
      `alter table "flow_rules" add constraint "flow_rules_concurrency_check" check (concurrency_limit > 0 or (concurrency_limit is null and concurrency_key is null));`,
    );
    this.addSql(
      `alter table "flow_rules" add constraint "flow_rules_rate_check" check ((rate_limit > 0 and rate_period_seconds > 0 and rate_exceeded in ('queue', 'refuse')) or (rate_limit is null and rate_period_seconds is null and rate_key is null and rate_exceeded is null));`,
    );
    this.addSql(
      `alter table "flow_rules" add constraint "flow_rules_any_check" check (concurrency_limit is not null or rate_limit is not null);`,
    );
    this.addSql(
      `create table "flow_places" ("run_id" text not null, "lane" text not null, "workspace_id" text not null, "kind" text not null, "key" text null, "run_limit" int null, "period_seconds" int null, "rule_id" text null, "ranked_at" timestamptz not null, "since" timestamptz null, "admitted_at" timestamptz null, primary key ("run_id", "lane"));`,
    );
    this.addSql(
      `alter table "flow_places" add constraint "flow_places_kind_check" check (kind in ('concurrency', 'rate', 'debounce'));`,
    );
    this.addSql(
      'create index flow_places_waiting_index on flow_places (workspace_id, lane, ranked_at, run_id) where admitted_at is null',
    );
    this.addSql('create index flow_places_admitted_index on flow_places (workspace_id, lane, admitted_at)');
    this.addSql(
      `create unique index flow_places_debounce_unique on flow_places (workspace_id, lane) where kind = 'debounce' and admitted_at is null`,
    );
    this.addSql(
      `create table "flow_queues" ("workspace_id" text not null, "wake_at" timestamptz null, primary key ("workspace_id"));`,
    );
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
    this.addSql('alter table "runs" drop column "priority", drop column "flow"');
  }
}
