create table workspaces (
  id text primary key, name text not null, created_at timestamptz not null default now(), live_workspace_id text,
  clock_seconds bigint not null default '0', clock_target_seconds bigint not null default '0', clock_followed_to timestamptz,
  clock_moving boolean not null default false,
  constraint workspaces_mode_check check (
    (live_workspace_id is not null) = starts_with(id, 'wst_') and (clock_seconds = 0 or live_workspace_id is not null) and
    clock_seconds >= 0)
);
create unique index workspaces_live_index on workspaces (live_workspace_id);

create table api_keys (
  id text primary key, workspace_id text not null, account_id text not null, name text not null, hash bytea not null,
  prefix text not null, scopes text[] not null, spend_limit_nanos bigint, spend_limit_period text, rpm_limit int,
  concurrency_limit int, created_at timestamptz not null default now(), last_used_at timestamptz, expires_at timestamptz,
  revoked_at timestamptz, keeps_runs boolean not null default false, allowed_ips text[], created_by text, member_user_id text,
  owner_user_id text, parent_id text, ancestors text[] not null default '{}', in_tree boolean not null default false,
  allowed_agents text[],
  constraint api_keys_hash_unique unique (hash),
  constraint api_keys_limits_check check (spend_limit_nanos >= 0 and rpm_limit > 0 and concurrency_limit > 0),
  constraint api_keys_period_check check (spend_limit_period in ('daily', 'monthly'))
);
create index api_keys_ancestors_index on api_keys using gin (ancestors) where parent_id is not null;
create unique index api_keys_member_index on api_keys (workspace_id, member_user_id)
  where member_user_id is not null and revoked_at is null;
create index api_keys_workspace_id_index on api_keys (workspace_id);

create table rotated_secrets (
  hash bytea primary key, workspace_id text not null, key_id text not null, expires_at timestamptz not null
);
create index rotated_secrets_key_id_index on rotated_secrets (key_id);

create table idempotency_keys (
  workspace_id text not null, route text not null, key text not null, fingerprint bytea not null, resource_id text not null,
  running_until timestamptz not null, status int, headers jsonb, body text, created_at timestamptz not null default now(),
  primary key (workspace_id, route, key)
);
create index idempotency_keys_created_at_index on idempotency_keys (created_at);

create table response_items (
  id text primary key, workspace_id text not null, item text not null, expires_at timestamptz not null
);
create index response_items_expires_at_index on response_items (expires_at);
create index response_items_workspace_id_index on response_items (workspace_id);

-- Three unlogged parts in turn, ten minutes each: old answers are forgotten by emptying a part, which costs the same however much it holds.
-- The bytes are not compressed, because that would cost more than the settlement beside them.
create table answer_parts (
  slot smallint not null, request_id text not null, part int not null, workspace_id text not null, fingerprint text,
  state text not null, bytes bytea not null, replays int not null default 0, created_at timestamptz not null default clock_timestamp(),
  primary key (slot, request_id, part)
) partition by list (slot);
alter table answer_parts alter column bytes set storage external;
create unlogged table answer_parts_0 partition of answer_parts for values in (0);
create unlogged table answer_parts_1 partition of answer_parts for values in (1);
create unlogged table answer_parts_2 partition of answer_parts for values in (2);
create index answer_parts_fingerprint_index on answer_parts (fingerprint) where fingerprint is not null;
create index answer_parts_request_id_index on answer_parts (request_id, part);

create table request_retries (
  request_id text primary key, workspace_id text not null, retries int not null
);
create index request_retries_workspace_id_index on request_retries (workspace_id);

create table platform_events (
  id text primary key, workspace_id text not null, type text not null, resource_type text not null, resource_id text not null,
  data jsonb not null, created_at timestamptz not null default now()
);
create index platform_events_age_index on platform_events (workspace_id, created_at, id);
create index platform_events_created_at_index on platform_events (created_at);

create table audit_entries (
  id text primary key, workspace_id text, key_id text, action text not null, subject_type text not null, subject_id text not null,
  detail jsonb not null default '{}', request_id text not null, created_at timestamptz not null default now(), user_id text
);
create index audit_entries_age_index on audit_entries (created_at, id);
create index audit_entries_subject_id_index on audit_entries (subject_id);
create index audit_entries_workspace_id_index on audit_entries (workspace_id);

create table secrets (
  name text primary key, value bytea not null
);

create table client_secrets (
  id text primary key, workspace_id text not null, key_id text not null, hash bytea not null, session jsonb not null,
  max_session_seconds int, spend_limit_nanos bigint, sessions_max int, sessions int not null default 0,
  spent_nanos bigint not null default '0', created_at timestamptz not null default now(), expires_at timestamptz not null,
  constraint client_secrets_hash_unique unique (hash),
  constraint client_secrets_sessions_check check (sessions >= 0 and (sessions_max is null or sessions <= sessions_max))
);
create index client_secrets_expires_at_index on client_secrets (expires_at);
create index client_secrets_workspace_id_index on client_secrets (workspace_id);
