import { Migration } from '@mikro-orm/migrations';

export class Migration20261124230500_schedules extends Migration {
  override name = 'Migration20261124230500_schedules';

  override up(): void | Promise<void> {
    this.addSql(`create table "schedules" (
      "id" text not null, "workspace_id" text not null, "key_id" text not null, "name" text null, "run" jsonb not null,
      "cron" text null, "timezone" text not null, "every_seconds" int null, "jitter_seconds" int not null,
      "start_at" timestamptz null, "end_at" timestamptz null, "overlap" text not null, "catchup_window_seconds" int not null,
      "remaining_runs" int null, "pause_after_misses" int not null, "unpaid_misses" int not null default 0,
      "paused_at" timestamptz null, "pause_reason" text null, "pause_note" text null,
      "catch_up_from" timestamptz null, "catch_up_until" timestamptz null,
      "revision" int not null default 1, "synced_revision" int not null default 0, "claimed_until" timestamptz null,
      "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null,
      primary key ("id"),
      constraint "schedules_spec_check" check ((cron is null) <> (every_seconds is null)),
      constraint "schedules_overlap_check" check (overlap in ('skip', 'buffer_one', 'cancel_other', 'allow')),
      constraint "schedules_paused_check" check ((paused_at is null) = (pause_reason is null) and pause_reason in ('requested', 'balance', 'key', 'agent', 'order')),
      constraint "schedules_remaining_check" check (remaining_runs >= 0)
    );`);
    this.addSql(`create index "schedules_workspace_index" on "schedules" ("workspace_id", "created_at", "id");`);
    this.addSql('create index schedules_stale_index on schedules (updated_at) where synced_revision <> revision;');
    this.addSql(`create table "schedule_firings" (
      "id" text not null, "workspace_id" text not null, "schedule_id" text not null, "workflow_id" text not null,
      "scheduled_at" timestamptz not null, "run_id" text not null, "outcome" text null, "code" text null, "message" text null,
      "created_at" timestamptz not null default now(), primary key ("id"),
      constraint "schedule_firings_outcome_check" check (outcome in ('started', 'missed'))
    );`);
    this.addSql(
      `create index "schedule_firings_schedule_index" on "schedule_firings" ("schedule_id", "created_at", "id");`,
    );
    this.addSql('create unique index schedule_firings_workflow_index on schedule_firings (workflow_id);');
    this.addSql(`create index "schedule_firings_run_index" on "schedule_firings" ("run_id");`);
    this.addSql(`create index "schedule_firings_created_at_index" on "schedule_firings" ("created_at");`);
    for (const table of ['schedules', 'schedule_firings']) this.protect(table);
  }

  private protect(table: string): void {
    this.addSql(`alter table ${table} enable row level security`);
    this.addSql(`alter table ${table} force row level security`);
    this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
    this.addSql(
      `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql(`grant select on ${table} to ledgerline_tenant`);
    this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
  }

  override down(): void | Promise<void> {
    this.addSql('drop table if exists "schedule_firings" cascade;');
    this.addSql('drop table if exists "schedules" cascade;');
  }
}
