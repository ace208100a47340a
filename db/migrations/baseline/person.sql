create table users (
  id text primary key, name text not null, email text not null, email_verified boolean not null default false, image text,
  two_factor_enabled boolean not null default false, is_operator boolean not null default false,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  constraint users_email_unique unique (email)
);

create table user_sessions (
  id text primary key, user_id text not null, token text not null, expires_at timestamptz not null, ip_address text, user_agent text,
  active_workspace_id text, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  constraint user_sessions_token_unique unique (token)
);
create index user_sessions_user_id_index on user_sessions (user_id);

create table credentials (
  id text primary key, user_id text not null, account_id text not null, provider_id text not null, password text, access_token text,
  refresh_token text, id_token text, access_token_expires_at timestamptz, refresh_token_expires_at timestamptz, scope text,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now()
);
create index credentials_user_id_index on credentials (user_id);

create table verifications (
  id text primary key, identifier text not null, value text not null, expires_at timestamptz not null,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now()
);
create index verifications_identifier_index on verifications (identifier);

create table two_factors (
  id text primary key, user_id text not null, secret text not null, backup_codes text not null,
  verified boolean not null default true, failed_verification_count int not null default 0, locked_until timestamptz
);
create index two_factors_user_id_index on two_factors (user_id);

create table passkeys (
  id text primary key, user_id text not null, name text, public_key text not null, credential_id text not null, counter int not null,
  device_type text not null, backed_up boolean not null, transports text, aaguid text, created_at timestamptz not null default now(),
  constraint passkeys_credential_id_unique unique (credential_id)
);
create index passkeys_user_id_index on passkeys (user_id);

create table members (
  id text primary key, workspace_id text not null, user_id text not null, role text not null,
  created_at timestamptz not null default now(),
  constraint members_workspace_id_user_id_unique unique (workspace_id, user_id),
  constraint members_role_check check (role in ('owner', 'developer', 'finance', 'publisher'))
);
create index members_user_id_index on members (user_id);

create table invitations (
  id text primary key, workspace_id text not null, email text not null, role text, status text not null,
  expires_at timestamptz not null, inviter_id text not null, created_at timestamptz not null default now()
);
create index invitations_email_index on invitations (email);
create index invitations_workspace_id_index on invitations (workspace_id);

create table throttles (
  key text primary key, count int not null, resets_at timestamptz not null
);
create index throttles_resets_at_index on throttles (resets_at);

create table test_mails (
  id text primary key, recipient text not null, subject text not null, text text not null,
  created_at timestamptz not null default now()
);
create index test_mails_created_at_index on test_mails (created_at);
