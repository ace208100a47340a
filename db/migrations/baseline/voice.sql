create table voices (
  id text primary key, workspace_id text not null, name text not null, description text, labels jsonb not null default '{}',
  settings jsonb, measure jsonb not null, samples jsonb not null default '[]', upstream_ids jsonb not null default '{}',
  created_at timestamptz not null default now(), deleted_at timestamptz
);
create index voices_workspace_id_index on voices (workspace_id);

create table speech_history (
  id text primary key, workspace_id text not null, request_id text not null, source text not null, voice_id text not null,
  voice_name text not null, voice_category text not null, model_id text not null, text text not null, characters int not null,
  content_type text not null, output_format text not null, settings jsonb, file_id text,
  created_at timestamptz not null default now(), deleted_at timestamptz
);
create index speech_history_workspace_index on speech_history (workspace_id, created_at, id);
