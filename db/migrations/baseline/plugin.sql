create table plugin_secrets (
  workspace_id text not null, plugin_id text not null, name text not null, sealed text not null,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, plugin_id, name)
);

create table plugin_sign_ins (
  workspace_id text not null, plugin_id text not null, plugin_version text not null, url text not null, issuer text not null,
  state text not null, sealed text not null, version int not null default 1, expires_at timestamptz, renewing_until timestamptz,
  scope text, account text, user_id text not null, connected_at timestamptz not null default now(),
  primary key (workspace_id, plugin_id),
  constraint plugin_sign_ins_state_check check (state in ('connected', 'ended', 'revoking'))
);

create table plugin_sign_in_attempts (
  id text primary key, workspace_id text not null, plugin_id text not null, plugin_version text not null, user_id text not null,
  session_id text not null, state_hash text not null, redirect_url text not null, state text not null default 'begun',
  authorization_url text, sealed text, answer text, failure text, expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint plugin_sign_in_attempts_state_hash_unique unique (state_hash),
  constraint plugin_sign_in_attempts_state_check check (state in ('begun', 'asked', 'answered', 'connected', 'failed'))
);
create index plugin_sign_in_attempts_expires_index on plugin_sign_in_attempts (expires_at);
create index plugin_sign_in_attempts_workspace_id_index on plugin_sign_in_attempts (workspace_id);

create table offered_tools (
  name text primary key, "position" int not null, kind text not null, description text not null, parameters jsonb not null,
  languages jsonb
);

create table plugins (
  id text not null, version text not null, name text not null, url text not null, headers jsonb not null default '{}',
  created_at timestamptz not null default now(), disabled_at timestamptz, tools jsonb, secrets jsonb not null default '[]',
  sign_in jsonb,
  primary key (id, version)
);
