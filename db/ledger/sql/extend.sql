-- Adds up to p_more to an open hold, at most the p_share-th part of what is free, also within its client secret and
-- its project. Returns what was added.
create or replace function ledger_extend(p_id text, p_more bigint, p_share int) returns bigint language plpgsql as $$
declare
  h holds; r record; secret bigint[]; project bigint[]; common bigint; added bigint;
begin
  select * into h from holds where id = p_id;
  perform from accounts a where a.id = h.account_id for update;
  select * into h from holds where id = p_id and ended_at is null;
  if not found then return 0; end if;
  select * into r from ledger_room(h.key_id, h.day);
  if h.client_secret_id is not null then secret := ledger_secret_room(h.client_secret_id); end if;
  if h.project_id is not null then project := ledger_project_room(h.project_id, h.day); end if;
  common := greatest(0, least(p_more, least(r.available, r.key_free, project[2]) / p_share));
  added := greatest(0, least(common, secret[2] / p_share));
  if h.kind <> 'slice' and common < p_more and not h.partial
    and exists (select from holds o where o.account_id = h.account_id and o.state = 'open' and o.partial) then
    return 0;
  end if;
  update holds set amount_nanos = amount_nanos + added, partial = h.kind <> 'slice' and common < p_more where id = p_id;
  return added;
end
$$;
