create table runs (
  id text primary key, workspace_id text not null, key_id text not null, account_id text not null,
  publisher_workspace_id text not null, agent_id text not null, agent text not null, agent_name text not null,
  version_id text not null, version text not null, session_id text not null, visibility text not null,
  status text not null default 'queued', status_reason text, input jsonb not null, output jsonb not null default '[]',
  required_action jsonb, error jsonb, fault text, "limit" jsonb, on_limit text not null, on_disconnect text not null,
  if_session_busy text not null, waiting boolean not null default false, timeout_seconds int not null, start_at timestamptz not null,
  source text not null, metadata jsonb not null default '{}', webhook_url text, webhook_events text[], rate_card jsonb not null,
  max_cost_nanos bigint not null, minimum_cost_nanos bigint not null, hold_id text not null, held_nanos bigint not null,
  meters jsonb not null default '{}', subtotal_nanos bigint not null default '0', network_fee_nanos bigint not null default '0',
  total_nanos bigint not null default '0', absorbed_nanos bigint not null default '0', settled_at timestamptz,
  last_sequence int not null default 0, created_at timestamptz not null default now(), started_at timestamptz,
  completed_at timestamptz, cancel_requested_at timestamptz, cancel_reason text, cancel_mode text, workflow_started_at timestamptz,
  cancel_delivered_at timestamptz, platform_cost_nanos bigint not null default '0', subsidy_nanos bigint not null default '0',
  content_deleted_at timestamptz, deleted_at timestamptz, response_format jsonb, rerun_of text, rerun_from_step int,
  parent_run_id text, parent_step int, depth int not null default 0, children_nanos bigint not null default '0',
  rehearsed boolean not null default false,
  constraint runs_cost_check check (
    total_nanos = subtotal_nanos + network_fee_nanos and total_nanos <= max_cost_nanos and absorbed_nanos >= 0 and subsidy_nanos >=
    0 and subsidy_nanos <= platform_cost_nanos),
  constraint runs_settled_check check ((status in ('completed', 'limit_reached', 'cancelled', 'failed')) = (settled_at is not null)),
  constraint runs_status_check check (
    status in ('queued', 'in_progress', 'requires_action', 'cancelling', 'completed', 'limit_reached', 'cancelled', 'failed'))
) with (fillfactor = 50);
create index runs_agent_settled_index on runs (agent_id, settled_at) where settled_at is not null;
create index runs_content_index on runs (settled_at) where content_deleted_at is null;
create index runs_open_index on runs (created_at) where settled_at is null;
create index runs_parent_index on runs (parent_run_id, parent_step) where parent_run_id is not null;
create index runs_publisher_settled_index on runs (publisher_workspace_id, settled_at) where settled_at is not null;
create index runs_session_index on runs (session_id, created_at);
create index runs_settled_index on runs (workspace_id, settled_at) where settled_at is not null;
create index runs_workspace_index on runs (workspace_id, created_at, id);

create table run_steps (
  run_id text not null, step int not null, workspace_id text not null, id text not null, kind text not null, name text not null,
  state text not null default 'started', attempt int not null default 1, result jsonb, started_at timestamptz not null default now(),
  ended_at timestamptz, error_code text, retry_at timestamptz, output jsonb, reused_from text,
  primary key (run_id, step),
  constraint run_steps_kind_check check (kind in ('model', 'tool', 'sandbox', 'file')),
  constraint run_steps_state_check check (state in ('started', 'completed', 'failed'))
);

create table run_meters (
  run_id text not null, step int not null, meter text not null, workspace_id text not null, quantity_thousandths bigint not null,
  primary key (run_id, step, meter)
);

create table run_usage (
  run_id text not null, meter text not null, workspace_id text not null, unit text not null, quantity_thousandths bigint not null,
  cost_nanos bigint not null, settled_at timestamptz not null,
  primary key (run_id, meter)
);
create index run_usage_workspace_index on run_usage (workspace_id, settled_at);

create table run_events (
  run_id text not null, sequence int not null, workspace_id text not null, type text not null, data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (run_id, sequence)
);
create index run_events_created_at_index on run_events (created_at);
create index run_events_notable_index on run_events (workspace_id, created_at, run_id, sequence)
  where type in ('run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached');

create table run_feedback (
  run_id text not null, author_id text not null, id text not null, workspace_id text not null, outcome text not null,
  reason text not null, source text not null, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), agent_id text not null,
  primary key (run_id, author_id)
);
create index run_feedback_agent_index on run_feedback (agent_id, created_at, id);

create table run_quotes (
  id text primary key, workspace_id text not null, agent text not null, version_id text not null, visibility text not null,
  rate_card jsonb not null, created_at timestamptz not null default now(), expires_at timestamptz not null
);
create index run_quotes_expiry_index on run_quotes (expires_at);
create index run_quotes_workspace_id_index on run_quotes (workspace_id);
