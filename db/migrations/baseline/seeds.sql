-- The platform's own accounts, and those of test workspaces.
insert into accounts (id, kind) select id, 'house' from unnest(array[
  'revenue', 'write_off', 'payments', 'adjustments', 'network_fee', 'absorbed', 'consumed', 'run_costs', 'subsidies', 'payouts',
  'test_revenue', 'test_write_off', 'test_payments', 'test_adjustments', 'test_network_fee', 'test_payable', 'test_run_costs',
  'test_subsidies', 'test_absorbed', 'test_consumed']) id;

-- Holds of runs outlive every process: the run's workflow ends them, so their owner's lease never runs out.
insert into processes (id, lease_until) values ('runs', 'infinity');

-- Two random numbers of 122 bits each: more chance than the digest has room for. `accounts` signs cookies and encrypts second factors.
insert into secrets (name, value) select name, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid(), 'UTF8'))
  from unnest(array['cursors', 'accounts']) name;
