create sequence ledger_transaction_ids;

-- Batches are stored in the text form of an array of these: their order is that of `batchText` in db/ledger/settlement.ts.
create type ledger_settlement as (
  id text, workspace text, account text, key text, hold text, cost bigint, charge bigint, route text, model text, status int,
  cancelled boolean, usage jsonb, held bigint, started timestamptz, first int, duration int, bytes int, provisional boolean,
  upstream text, attempts int, finish text, cached int, reasoning int, price text
);

-- Balances change with every batch: free room on the page keeps those updates off the indexes. So for holds, key_days and runs.
create table accounts (
  id text primary key, workspace_id text, kind text not null, posted_nanos bigint not null default '0',
  entry_count bigint not null default '0', head_hash bytea, created_at timestamptz not null default now(),
  reversed_nanos bigint not null default '0',
  constraint accounts_workspace_id_unique unique (workspace_id),
  constraint accounts_customer_check check (kind = 'house' or (posted_nanos >= -reversed_nanos and workspace_id is not null)),
  constraint accounts_kind_check check (kind in ('customer', 'house'))
) with (fillfactor = 50);

create table ledger_entries (
  transaction_id bigint not null, leg int not null, account_id text not null, workspace_id text, kind text not null,
  subject text not null, amount_nanos bigint not null, sequence bigint, balance_after_nanos bigint, hash bytea, key_id text,
  created_at timestamptz not null default now(), hash_version smallint,
  primary key (kind, subject),
  constraint ledger_entries_account_sequence_unique unique (account_id, sequence)
);
-- Entries that a workspace sees beside those of its own account: a publisher's earnings, and what failed runs consumed.
create index ledger_entries_beside_index on ledger_entries (workspace_id, transaction_id) where kind in ('earning', 'absorbed');
create index ledger_entries_changes_index on ledger_entries (workspace_id, created_at) where kind in ('refund', 'correction');
-- An account belongs to one workspace. Without this the planner expects one row where it then reads and sorts all entries of the account.
create statistics ledger_entries_account_statistics (dependencies) on workspace_id, account_id from ledger_entries;

create table holds (
  id text primary key, workspace_id text not null, account_id text not null, key_id text not null, process_id text not null,
  kind text not null, amount_nanos bigint not null, partial boolean not null default false, state text not null default 'open',
  day date not null, created_at timestamptz not null default now(), ended_at timestamptz,
  constraint holds_amount_check check (amount_nanos >= 0),
  constraint holds_kind_check check (kind in ('slice', 'request', 'run')),
  constraint holds_state_check check (state in ('open', 'settled', 'released'))
) with (fillfactor = 50);
create index holds_ended_index on holds (ended_at) where kind <> 'run' and ended_at is not null;
create index holds_open_account_index on holds (account_id) where state = 'open';
create index holds_open_process_index on holds (process_id) where state = 'open';

create table key_days (
  key_id text not null, day date not null, workspace_id text not null, spent_nanos bigint not null default '0',
  primary key (key_id, day)
) with (fillfactor = 50);

create table processes (
  id text primary key, started_at timestamptz not null default now(), lease_until timestamptz not null, reaped_at timestamptz,
  in_use jsonb not null default '{}'
);

-- Rows live for milliseconds: what they leave is vacuumed by its number alone, and nothing is compressed for so short a time.
create table settlement_batches (
  id text primary key, process_id text not null, settlements text not null, written_at timestamptz not null default now(),
  refusal text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table settlement_batches alter column settlements set storage external;

create table requests (
  id text primary key, workspace_id text not null, key_id text not null, route text not null, model text not null,
  status int not null, cancelled boolean not null, usage jsonb not null, cost_nanos bigint not null,
  written_off_nanos bigint not null, hold_nanos bigint not null, started_at timestamptz not null, first_byte_ms int,
  duration_ms int not null, stream_bytes int not null, provisional boolean not null default false, upstream text, attempts smallint,
  finish_reason text, cached_tokens int, reasoning_tokens int, price_id text, settled_at timestamptz not null default now()
);
-- For operators: the calls of the last hour. BRIN costs a settlement next to nothing.
create index requests_age_index on requests using brin (settled_at);
create index requests_failed_index on requests (workspace_id, settled_at desc, id desc) where status >= 400;
create index requests_unbilled_index on requests (settled_at) where cost_nanos = 0;
create index requests_workspace_index on requests (workspace_id, settled_at desc, id desc);

create table request_progress (
  request_id text primary key, process_id text not null, settlement jsonb not null, updated_at timestamptz not null default now()
);
create index request_progress_process_id_index on request_progress (process_id);

create table model_prices (
  id text primary key, model text not null, rates jsonb not null, valid_from timestamptz not null default now()
);
