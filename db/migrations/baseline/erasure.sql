create table erasures (
  id text primary key, workspace_id text not null, user_id text, created_at timestamptz not null default now(),
  due_at timestamptz not null, cancelled_at timestamptz, started_at timestamptz, erased_at timestamptz,
  constraint erasures_order_check check (
    (cancelled_at is null or started_at is null) and (erased_at is null or started_at is not null))
);
create index erasures_due_index on erasures (due_at) where cancelled_at is null and erased_at is null;
create unique index erasures_workspace_unique on erasures (workspace_id) where cancelled_at is null;
