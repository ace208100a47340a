create table schedules (
  id text primary key, workspace_id text not null, key_id text not null, name text, run jsonb not null, cron text,
  timezone text not null, every_seconds int, jitter_seconds int not null, start_at timestamptz, end_at timestamptz,
  overlap text not null, catchup_window_seconds int not null, remaining_runs int, pause_after_misses int not null,
  unpaid_misses int not null default 0, paused_at timestamptz, pause_reason text, pause_note text, catch_up_from timestamptz,
  catch_up_until timestamptz, revision int not null default 1, synced_revision int not null default 0, claimed_until timestamptz,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), deleted_at timestamptz,
  constraint schedules_overlap_check check (overlap in ('skip', 'buffer_one', 'cancel_other', 'allow')),
  constraint schedules_paused_check check (
    (paused_at is null) = (pause_reason is null) and pause_reason in ('requested', 'balance', 'key', 'agent', 'order')),
  constraint schedules_remaining_check check (remaining_runs >= 0),
  constraint schedules_spec_check check ((cron is null) <> (every_seconds is null))
);
create index schedules_stale_index on schedules (updated_at) where synced_revision <> revision;
create index schedules_workspace_index on schedules (workspace_id, created_at, id);

create table schedule_firings (
  id text primary key, workspace_id text not null, schedule_id text not null, workflow_id text not null,
  scheduled_at timestamptz not null, run_id text not null, outcome text, code text, message text,
  created_at timestamptz not null default now(),
  constraint schedule_firings_outcome_check check (outcome in ('started', 'missed'))
);
create index schedule_firings_created_at_index on schedule_firings (created_at);
create index schedule_firings_run_index on schedule_firings (run_id);
create index schedule_firings_schedule_index on schedule_firings (schedule_id, created_at, id);
create unique index schedule_firings_workflow_index on schedule_firings (workflow_id);
