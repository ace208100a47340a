-- The eight characters of time with which ids of a moment begin, after their prefix: its milliseconds in base 36.
create or replace function ledger_month_code(at timestamptz) returns text language plpgsql immutable as $$
declare
  ms bigint := floor(extract(epoch from at) * 1000); code text := '';
begin
  for place in 1..8 loop
    code := substr('0123456789abcdefghijklmnopqrstuvwxyz', (ms % 36)::int + 1, 1) || code;
    ms := ms / 36;
  end loop;
  return code;
end
$$;
