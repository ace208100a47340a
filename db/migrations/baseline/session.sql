create table sessions (
  id text primary key, workspace_id text not null, title text, metadata jsonb not null default '{}',
  directory_generation int not null default 0, stored_bytes bigint not null default '0',
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), deleted_at timestamptz,
  origin_run_id text
);
create index sessions_workspace_index on sessions (workspace_id, created_at, id);

create table session_entries (
  id text primary key, workspace_id text not null, session_id text not null, parent_id text, name text not null, kind text not null,
  file_id text, revision_id text not null, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint session_entries_file_check check ((kind = 'file') = (file_id is not null)),
  constraint session_entries_kind_check check (kind in ('file', 'directory'))
);
create index session_entries_file_index on session_entries (file_id);
create unique index session_entries_name_unique on session_entries (session_id, parent_id, name) nulls not distinct;
create index session_entries_parent_index on session_entries (parent_id);

create table entry_revisions (
  id text primary key, workspace_id text not null, session_id text not null, entry_id text not null, file_id text not null,
  created_at timestamptz not null default now()
);
create index entry_revisions_entry_index on entry_revisions (entry_id, created_at, id);
create index entry_revisions_file_index on entry_revisions (file_id);
create index entry_revisions_workspace_id_index on entry_revisions (workspace_id);

create table save_operations (
  id text primary key, workspace_id text not null, session_id text not null, run_id text not null, tool_step_id text not null,
  last_committed_generation int not null, state text not null default 'saving', recovery text not null default 'none', error jsonb,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  constraint save_operations_recovery_check check (recovery in ('none', 'retrying', 'required')),
  constraint save_operations_state_check check (state in ('saving', 'saved', 'failed'))
);
create index save_operations_session_index on save_operations (session_id, created_at);

create table files (
  id text primary key, workspace_id text not null, purpose text not null, filename text not null, media_type text not null,
  size_bytes bigint not null, sha256 bytea not null, created_at timestamptz not null default now(), expires_at timestamptz,
  deleted_at timestamptz, session_id text
);
create index files_expiry_index on files (expires_at) where expires_at is not null;
create index files_workspace_index on files (workspace_id, created_at, id);

create table file_objects (
  file_id text not null, "position" int not null, workspace_id text not null, key text not null, size_bytes bigint not null,
  primary key (file_id, "position")
);
create index file_objects_workspace_index on file_objects (workspace_id);

create table file_chunks (
  file_id text not null, "position" int not null, workspace_id text not null, bytes bytea not null,
  primary key (file_id, "position")
);
-- A range of a compressed value could not be read without the rest.
alter table file_chunks alter column bytes set storage external;
