create table usage_hours (
  workspace_id text not null, hour timestamptz not null, key_id text not null, model text not null, route text not null,
  price_id text not null, requests bigint not null, errors bigint not null, cost_nanos bigint not null, units jsonb not null,
  primary key (workspace_id, hour, key_id, model, route, price_id)
);

create table usage_rollups (
  workspace_id text primary key, summed_until timestamptz not null
);
