create table topups (
  id text primary key, workspace_id text not null, origin text not null, session_id text, payment_intent text,
  amount_nanos bigint not null, livemode boolean not null, status text not null default 'open', receipt_url text,
  refunded_nanos bigint not null default '0', disputed_nanos bigint not null default '0', reversal_count int not null default 0,
  request_id text, created_at timestamptz not null default now(), paid_at timestamptz,
  constraint topups_payment_intent_unique unique (payment_intent),
  constraint topups_session_id_unique unique (session_id),
  constraint topups_amounts_check check (
    amount_nanos > 0 and refunded_nanos >= 0 and disputed_nanos >= 0 and refunded_nanos + disputed_nanos <= amount_nanos),
  constraint topups_origin_check check (origin in ('checkout', 'auto')),
  constraint topups_status_check check (status in ('open', 'processing', 'paid', 'failed', 'expired'))
);
-- One order of a card at a time, also for two workers.
create unique index topups_one_auto_index on topups (workspace_id) where origin = 'auto' and status in ('open', 'processing');
create index topups_workspace_id_index on topups (workspace_id);

create table topup_reversals (
  id text primary key, payment_intent text not null, kind text not null, amount_nanos bigint not null, state text not null,
  stage smallint not null, told_at timestamptz not null,
  constraint topup_reversals_kind_check check (kind in ('refund', 'refunded_total', 'dispute')),
  constraint topup_reversals_state_check check (state in ('none', 'taken', 'returned'))
);
create index topup_reversals_payment_intent_index on topup_reversals (payment_intent);

create table payment_customers (
  workspace_id text primary key, customer_id text not null, payment_method_id text, created_at timestamptz not null default now(),
  threshold_nanos bigint, amount_nanos bigint, monthly_cap_nanos bigint, decline_count int not null default 0, retry_at timestamptz,
  card_brand text, card_last4 text, auto_enabled boolean not null default true, last_error text,
  constraint payment_customers_customer_id_unique unique (customer_id)
);

create table payment_events (
  id text primary key, type text not null, outcome text not null, livemode boolean not null,
  received_at timestamptz not null default now()
);

create table adjustments (
  id text primary key, workspace_id text not null, amount_nanos bigint not null, reason text not null,
  status text not null default 'pending', requested_by text not null, requester text not null, decided_by text, decider text,
  created_at timestamptz not null default now(), decided_at timestamptz,
  constraint adjustments_amount_check check (amount_nanos <> 0),
  constraint adjustments_persons_check check (status <> 'approved' or decided_by <> requested_by),
  constraint adjustments_status_check check (status in ('pending', 'approved', 'rejected'))
);

create table balance_notices (
  workspace_id text primary key, level text not null,
  constraint balance_notices_level_check check (level in ('low', 'depleted'))
);

create table key_notices (
  key_id text primary key, period_start date not null, level smallint not null,
  constraint key_notices_level_check check (level in (0, 1, 2))
);

create table event_mails (
  event_id text not null, recipient text not null, attempts smallint not null default 0, due_at timestamptz default now(),
  created_at timestamptz not null default now(),
  primary key (event_id, recipient)
);
create index event_mails_created_at_index on event_mails (created_at);
create index event_mails_due_index on event_mails (due_at) where due_at is not null;

create table payouts (
  id text primary key, workspace_id text not null, amount_nanos bigint not null, destination text not null, status text not null,
  reference text, reason text, requested_by text not null, requester text not null, decided_by text, decider text,
  created_at timestamptz not null default now(), decided_at timestamptz,
  constraint payouts_amount_check check (amount_nanos > 0),
  constraint payouts_destination_check check (destination in ('balance', 'transfer')),
  constraint payouts_persons_check check (status <> 'sent' or decided_by <> requested_by),
  constraint payouts_sent_check check ((status = 'sent') = (reference is not null)),
  constraint payouts_status_check check (
    status in ('paid', 'requested', 'sent', 'rejected') and (status = 'paid') = (destination = 'balance'))
);
create index payouts_workspace_index on payouts (workspace_id, created_at, id);
