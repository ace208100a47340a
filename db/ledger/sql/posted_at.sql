-- The time of an entry of a workspace, read after its account was locked: entries are numbered in the order of their times. The time at which a
-- transaction began is earlier than an entry of another one that had the lock first, and both may be on two sides of a month's turn.
create or replace function ledger_posted_at(p_workspace text) returns timestamptz language sql volatile as $$
  select clock_timestamp() + (ledger_now(p_workspace) - now())
$$;
