create table batches (
  id text primary key, workspace_id text not null, key_id text not null, endpoint text not null, input_file_id text not null,
  status text not null default 'validating', metadata jsonb, output_seconds int not null, errors jsonb, total int not null default 0,
  completed int not null default 0, failed int not null default 0, input_tokens bigint not null default '0',
  cached_tokens bigint not null default '0', output_tokens bigint not null default '0', reasoning_tokens bigint not null default '0',
  cost_nanos bigint not null default '0', output_file_id text, error_file_id text, workflow_started_at timestamptz,
  created_at timestamptz not null default now(), expires_at timestamptz not null, in_progress_at timestamptz,
  finalizing_at timestamptz, cancelling_at timestamptz, ended_at timestamptz, worst_case_nanos bigint,
  constraint batches_ended_check check ((status in ('failed', 'completed', 'expired', 'cancelled')) = (ended_at is not null)),
  constraint batches_status_check check (
    status in ('validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled'))
);
create index batches_open_index on batches (input_file_id) where ended_at is null;
create index batches_workspace_index on batches (workspace_id, created_at, id);

create table batch_parts (
  id text primary key, batch_id text not null, workspace_id text not null, upstream text not null, model text not null,
  endpoint text not null, from_line int not null, from_byte bigint not null, to_line int not null, size_bytes bigint not null,
  hold_id text not null, held_nanos bigint not null, upstream_file_id text, upstream_batch_id text,
  created_at timestamptz not null default now(), cancelled_at timestamptz, answered_at timestamptz, ended_at timestamptz
);
create index batch_parts_batch_id_index on batch_parts (batch_id);
create unique index batch_parts_open_index on batch_parts (batch_id) where ended_at is null;

create table batch_replies (
  part_id text not null, line int not null, workspace_id text not null, reply text not null,
  primary key (part_id, line)
);
create index batch_replies_workspace_id_index on batch_replies (workspace_id);

create table batch_results (
  batch_id text not null, line int not null, workspace_id text not null, is_failed boolean not null, request_id text not null,
  output text not null, bill jsonb,
  primary key (batch_id, line)
);
