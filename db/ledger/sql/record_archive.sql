-- Records that a sealed month is archived. The proof has the numbers of the archive's rows and the sums of its entries by account: refuses
-- those of other rows. Recorded again while the rows are there, the last proof counts.
create or replace function ledger_record_archive(p_month date, p_proof jsonb) returns void language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  m ledger_months;
begin
  select * into m from ledger_months where month = p_month for update;
  if m.state is null or m.state not in ('sealed', 'archived') then raise exception 'the month % is not sealed', p_month; end if;
  if ((p_proof ->> 'calls')::bigint, (p_proof ->> 'entries')::bigint, p_proof -> 'sums') is distinct from (m.calls, m.entries, m.sums) then
    raise exception 'the archive of the month % has other rows than those sealed', p_month;
  end if;
  update ledger_months set state = 'archived', proof = p_proof, archived_at = now() where month = p_month;
end
$$;
revoke execute on function ledger_record_archive from public;
grant execute on function ledger_record_archive to ledgerline_system;
