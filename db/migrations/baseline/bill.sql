create table bill_keys (
  id text primary key, public_key text not null, sealed_key text not null, created_at timestamptz not null default now()
);

create table bill_roots (
  day date primary key, signed text not null, signature text not null, key_id text not null, chunks bytea not null,
  created_at timestamptz not null default now()
);

create table bill_days (
  workspace_id text not null, day date not null, place int not null, account_id text not null, first_sequence bigint not null,
  last_sequence bigint not null, leaf text not null, chunks bytea not null,
  primary key (workspace_id, day),
  constraint bill_days_day_place_unique unique (day, place)
);

create table replaced_bills (
  request_id text primary key, workspace_id text not null, model text not null, route text not null, usage jsonb not null,
  price_id text
);
create index replaced_bills_workspace_id_index on replaced_bills (workspace_id);
