-- Takes a hold of at least p_need and at most p_want. Outcomes: granted; revoked (the key); reaped (the process); balance, ceiling (nothing
-- is left); short (too little is left, even with nothing held); held (all that is left is held, not spent); stale (held in part by a dead
-- process: the sweep frees that); scarce (too little for a slice: a slice takes at most a quarter of what is free, so that other
-- processes and keys find something).
-- A request's or run's hold may be smaller than p_want, but then it is the only such hold of its account: this bounds overshoot. A run that
-- needs more than the settled balance is refused at once: waiting would not help.
-- The call belongs to the project that its key has now. Outcome project: the ceiling of that leaves too little, even with nothing held. The
-- keys of an archived project are as good as revoked.
-- p_secret: the client secret whose limit binds the call too; null for none. Outcome secret: that leaves too little, even with nothing held.
create or replace function ledger_hold_within(
  p_id text, p_process text, p_key text, p_kind text, p_want bigint, p_need bigint, p_secret text, out outcome text, out granted bigint,
  out partial boolean, out day_left_ms bigint
) language plpgsql as $$
declare
  k api_keys; r record; secret bigint[]; project bigint[]; common bigint; free bigint; at timestamp;
begin
  granted := 0; partial := false;
  perform from processes p where p.id = p_process and p.reaped_at is null for share;
  if not found then outcome := 'reaped'; return; end if;
  select * into k from api_keys where id = p_key and revoked_at is null and (expires_at is null or expires_at > ledger_now(workspace_id));
  if not found then outcome := 'revoked'; return; end if;
  if k.project_id is not null and exists (select from projects p where p.id = k.project_id and p.archived_at is not null) then
    outcome := 'revoked';
    return;
  end if;
  at := ledger_now(k.workspace_id) at time zone 'utc';
  day_left_ms := extract(epoch from date_trunc('day', at) + interval '1 day' - at) * 1000;
  perform from accounts a where a.id = k.account_id for update;
  select * into r from ledger_room(p_key);
  if p_secret is not null then secret := ledger_secret_room(p_secret); end if;
  if k.project_id is not null then project := ledger_project_room(k.project_id, at::date); end if;
  common := least(r.available, r.key_free, project[2]);
  free := least(common, secret[2]);
  granted := case p_kind when 'slice' then least(p_want, free / 4) else least(p_want, free) end;
  partial := least(common, p_want) < p_want and p_kind <> 'slice';
  outcome := case
    when r.posted <= 0 or (p_kind = 'run' and r.posted < p_need) then 'balance'
    when r.key_left <= 0 or (p_kind = 'run' and r.key_left < p_need) then 'ceiling'
    when project[1] <= 0 or (p_kind = 'run' and project[1] < p_need) then 'project'
    when secret[1] <= 0 or (p_kind = 'request' and secret[1] < p_need) then 'secret'
    when p_kind = 'request' and least(r.posted, r.key_left, project[1]) < p_need then 'short'
    when p_kind = 'slice' and granted < p_need then 'scarce'
    when granted < p_need then 'held'
    when partial and exists (select from holds h where h.account_id = k.account_id and h.state = 'open' and h.partial) then 'held'
    else 'granted' end;
  if outcome = 'held' and exists (select from holds h join processes p on p.id = h.process_id where h.account_id = k.account_id
      and h.state = 'open' and ledger_dead(p)) then
    outcome := 'stale';
  end if;
  if outcome <> 'granted' then granted := 0; return; end if;
  insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, partial, day, client_secret_id, project_id)
  values (p_id, k.workspace_id, k.account_id, p_key, p_process, p_kind, granted, partial, at::date, p_secret, k.project_id);
end
$$;
