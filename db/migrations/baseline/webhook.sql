create table webhook_endpoints (
  id text primary key, workspace_id text not null, url text not null, event_types text[] not null default '{}', description text,
  secrets jsonb not null, disabled_at timestamptz, disabled_reason text, failing_since timestamptz,
  created_at timestamptz not null default now(), deleted_at timestamptz,
  constraint webhook_endpoints_disabled_check check (
    (disabled_at is null) = (disabled_reason is null) and disabled_reason in ('requested', 'gone', 'failing'))
);
create index webhook_endpoints_workspace_id_index on webhook_endpoints (workspace_id, created_at);

create table webhook_deliveries (
  id text primary key, event_id text not null, endpoint_id text not null, workspace_id text not null, event_type text not null,
  url text, status text not null default 'pending', round int not null default 1, tries smallint not null default 0,
  next_try_at timestamptz default now(), due_at timestamptz default now(), created_at timestamptz not null default now(),
  constraint webhook_deliveries_status_check check (status in ('pending', 'delivered', 'failed', 'cancelled'))
);
create index webhook_deliveries_created_at_index on webhook_deliveries (created_at);
create index webhook_deliveries_due_index on webhook_deliveries (due_at) where due_at is not null;
create index webhook_deliveries_endpoint_index on webhook_deliveries (endpoint_id, created_at, id);
create unique index webhook_deliveries_event_index on webhook_deliveries (event_id, endpoint_id);
create index webhook_deliveries_workspace_id_index on webhook_deliveries (workspace_id);

create table webhook_attempts (
  id text primary key, delivery_id text not null, workspace_id text not null, status_code int, response_body text, error text,
  duration_ms int not null, created_at timestamptz not null default now()
);
create index webhook_attempts_delivery_id_index on webhook_attempts (delivery_id);
create index webhook_attempts_workspace_id_index on webhook_attempts (workspace_id);

create table webhook_keys (
  id text primary key, public_key text not null, used_at timestamptz not null default now()
);
