import { afterAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { checkInvariants, readInvariants } from '../../../db/invariants/invariants.ts';
import { ENTRY_RULES, HOLD_RULES, REQUEST_RULES, SECRET_RULES } from '../../../db/invariants/rules.ts';
import { PAYMENT_RULES, PAYOUT_RULES } from '../../../db/invariants/paymentRules.ts';
import { RUN_RULES } from '../../../db/invariants/runRules.ts';
import { makeAccount } from '../../support/account.ts';
import { makeBill } from '../../support/ledger.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { delta, finishTestRun, makeRun, addEvents } from '../../support/run.ts';

const db = await setTestDatabase();
await useEverything();
const owner = new Client({ connectionString: ownerUrlOf(db.url) });
await owner.connect();

afterAll(async () => {
  await owner.end();
  await db.close();
});

/**
 * A ledger with one of each kind of event: 10 USD in, one call billed, one short of its hold, one failed, one open; and the same for runs.
 */
async function useEverything(): Promise<void> {
  const spender = await makeAccount(db, { spendLimitNanos: 5_000_000_000n, spendLimitPeriod: 'daily' });
  const bill = (costNanos: bigint, status = 200) => makeBill(spender, { costNanos, status });
  await db.ledger.settle(await db.ledger.hold(spender, 3_000n), bill(2_000n));
  await db.ledger.settle(await db.ledger.hold(spender, 1_000n), bill(1_500n));
  await db.ledger.fail(await db.ledger.hold(spender, 1_000n), bill(700n, 502));
  await db.ledger.hold(spender, 10_000n);
  await db.ledger.settle(await db.ledger.hold(spender, 1_000n), bill(1n));
  const billed = await makeRun(db, spender, { publisherWorkspaceId: 'ws_publisher' });
  await addEvents(db, billed.id, delta('one'), delta('two'));
  const shares = { platformCostNanos: 150n, subsidyNanos: 30n };
  await finishTestRun(db, billed, { subtotalNanos: 200n, networkFeeNanos: 20n, ...shares });
  await db.pool.query(`update runs set meters = $2, rate_card = $3 where id = $1`, [
    billed.id,
    JSON.stringify({ model_output_tokens: 1_500 }),
    JSON.stringify({ subsidised: true, meters: [{ id: 'model_output_tokens', platform_cost_usd: 1e-7 }] }),
  ]);
  await finishTestRun(db, await makeRun(db, spender), { status: 'failed', absorbedNanos: 70n });
  await addEvents(db, (await makeRun(db, spender)).id, delta('open'));
}

test('a used ledger violates no rule, and its sums add up', async () => {
  const { sums, violations } = await checkInvariants(db.pool);
  expect(violations).toEqual([]);
  expect(sums).toMatchObject({
    totalNanos: 0n,
    balancesNanos: {
      customers: 10_000_000_000n - 3_221n,
      payments: -10_000_000_000n,
      revenue: 3_501n,
      write_off: -500n,
      adjustments: 0n,
      payouts: 0n,
      payable_ws_publisher: 80n,
      clearing: 0n,
      run_costs: 150n,
      subsidies: -30n,
      network_fee: 20n,
      consumed: 70n,
      absorbed: -70n,
    },
  });
  expect(sums.entries).toBe(18n);
  expect(sums.transactions).toBe(7n);
  expect(sums.heldNanos).toBeGreaterThanOrEqual(11_000n);
});

test('a reversed bill violates no rule', async () => {
  const spender = await makeAccount(db, { spendLimitNanos: 50_000n, spendLimitPeriod: 'monthly' });
  const held = await db.ledger.hold(spender, 5_000n);
  const bill = makeBill(spender, { costNanos: 4_000n });
  await db.ledger.settle(held, bill);
  await db.pool.query('select ledger_reverse($1)', [
    JSON.stringify({
      id: bill.requestId,
      workspace: spender.workspaceId,
      account: spender.accountId,
      key: spender.keyId,
      hold: held.id,
      cost: 0,
      charge: 0,
      status: 503,
    }),
  ]);
  expect((await checkInvariants(db.pool)).violations).toEqual([]);
});

const anyCustomer = `(select id from accounts where kind = 'customer' order by created_at limit 1)`;
const anyDebit = `(select id from requests where sequence is not null order by transaction_id limit 1)`;
const asFirstVersion = `
do $$ declare e ledger_entries; head bytea; begin
  -- The debits of calls were rows of their own.
  insert into ledger_legs select * from ledger_entries d where kind = 'debit' and not exists (
    select from ledger_legs l where l.kind = 'debit' and l.subject = d.subject);
  update requests set transaction_id = null, leg = null, account_id = null, debited_nanos = null, sequence = null, balance_after_nanos = null, hash = null;
  update ledger_legs set hash = null, hash_version = null where sequence is null;
  for e in select * from ledger_entries where sequence is not null order by account_id, sequence loop
    head := ledger_link(case when e.sequence > 1 then head end, e.sequence, e.kind, e.subject, e.amount_nanos, e.balance_after_nanos);
    update ledger_legs set hash = head, hash_version = null where account_id = e.account_id and sequence = e.sequence;
    update accounts set head_hash = head where id = e.account_id;
  end loop;
end $$`;
const insertHold = (values: string) =>
  `insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, partial, state, day, ended_at)
   select 'planted', k.workspace_id, k.account_id, k.id, ${values} from api_keys k where k.account_id = ${anyCustomer}`;
const liveProcess = '(select id from processes limit 1)';

const corruptions: Record<string, string> = {
  'entries sum to zero': `update ledger_legs set amount_nanos = amount_nanos + 1 where account_id = 'revenue'`,
  'each transaction sums to zero': `update ledger_legs set transaction_id = transaction_id + 1000 where account_id = 'revenue'`,
  'a balance is the sum of its entries': `update accounts set posted_nanos = posted_nanos + 1 where id = ${anyCustomer}`,
  'entries are numbered without a gap': `update requests set sequence = sequence + 1 where sequence = (select max(sequence) from requests)`,
  'an entry states the balance after it': `update requests set balance_after_nanos = balance_after_nanos - 1`,
  'the hash chain holds': `update ledger_legs set subject = subject || '!' where kind = 'topup'`,
  'a hash never covers less than the one before it': `update ledger_legs set hash_version = null where kind = 'debit'`,
  'a transaction keeps the seal of its id, time and house legs': `update ledger_legs set subject = subject || '!' where kind = 'absorbed contra'`,
  'an entry belongs to the workspace of its account': `update ledger_legs set workspace_id = 'ws_another' where kind = 'topup'`,
  'no test money moves to or from a live account': `update ledger_legs set account_id = 'test_revenue' where account_id = 'revenue'`,
  'a balance covers its holds': insertHold(`${liveProcess}, 'request', 10000000000, false, 'open', '2026-01-01', null`),
  'a key stays below its ceiling': `update api_keys set spend_limit_nanos = 1 where spend_limit_period = 'daily'`,
  'a ceiling covers its holds': `update api_keys set spend_limit_nanos = 3001 where spend_limit_period = 'daily'`,
  'a project stays below its ceiling, with what its calls hold': `
    insert into projects (id, workspace_id, name, spend_limit_nanos) select 'proj_small', workspace_id, 'Small', 1 from holds where state = 'open' limit 1;
    update holds set project_id = 'proj_small' where state = 'open'`,
  'the days of a project are what was billed to it': `insert into project_days (project_id, day, workspace_id, spent_nanos)
    values ('proj_1', '2026-01-01', 'ws_1', 5)`,
  'the limit of a client secret covers what its calls spent and hold': `
    insert into client_secrets (id, workspace_id, key_id, hash, session, spend_limit_nanos, spent_nanos, expires_at)
      select 'cs_small', workspace_id, key_id, 'x', '{}', 20000, 10001, now() + interval '1 hour' from holds where state = 'open' limit 1;
    update holds set client_secret_id = 'cs_small' where state = 'open' and amount_nanos >= 10000`,
  'the days of a key are what was billed to it': `update key_days set spent_nanos = spent_nanos - 1`,
  'a hold that ended was settled or released': insertHold(
    `${liveProcess}, 'request', 1, false, 'settled', '2026-01-01', null`,
  ),
  'an open hold has a process that will end it': `update processes set reaped_at = now()`,
  'a batch that has ended holds nothing': `
    insert into batches (id, workspace_id, key_id, endpoint, input_file_id, output_seconds, expires_at, status, ended_at)
      values ('batch_1', 'ws_1', 'key_1', '/v1/embeddings', 'file_1', 3600, now(), 'cancelled', now());
    insert into batch_parts (id, batch_id, workspace_id, upstream, model, endpoint, from_line, from_byte, to_line, size_bytes, hold_id, held_nanos)
      values ('part_1', 'batch_1', 'ws_1', 'a', 'm', '/v1/embeddings', 1, 0, 2, 1, 'hold_1', 1)`,
  'an account has one partial hold at a time': `update holds set partial = true; ${insertHold(
    `${liveProcess}, 'request', 1, true, 'open', '2026-01-01', null`,
  )}`,
  'a request costs what was debited for it': `update requests set cost_nanos = cost_nanos - 1, written_off_nanos = written_off_nanos + 1 where id = ${anyDebit}`,
  'a call has all of its debit or nothing of it': `update requests set transaction_id = null, balance_after_nanos = null where id = ${anyDebit}`,
  'a failed request bills nothing': `update requests set status = 502 where id = ${anyDebit}`,
  'a refused call bills nothing': `insert into refused_calls (id, workspace_id, key_id, route, status, code, message, duration_ms, calls, created_at, expires_at)
    select id, workspace_id, key_id, route, 402, 'insufficient_balance', '', 0, 1, now(), now() from requests where id = ${anyDebit}`,
  'revenue is the price of what was sold': `update requests set cost_nanos = cost_nanos + 1 where id = ${anyDebit}`,
  'written off is what no hold covered': `update requests set written_off_nanos = 0`,
  'a request writes off no more than it held': `update requests set hold_nanos = 1, written_off_nanos = 10000001 where id = ${anyDebit}`,
  'a refunded answer is not kept for a retry': `insert into answer_parts (slot, request_id, part, workspace_id, state, bytes)
    select 0, ${anyDebit}, 0, 'ws_1', 'whole', ''; insert into ledger_legs (transaction_id, leg, account_id, kind, subject, amount_nanos) values (0, 1, 'revenue', 'refund', ${anyDebit}, 1)`,
  'no settlement waits to be posted for ten minutes': `insert into settlement_batches (id, process_id, settlements, written_at)
    values ('batch_old', 'proc_a', '[]', now() - interval '11 minutes')`,
  'no settlement is refused': `insert into settlement_batches (id, process_id, settlements, refusal)
    select 'refused_req_a', 'proc_a',
      array[json_populate_record(null::ledger_settlement, '{"id":"req_a","workspace":"ws_a","cost":5}')]::text, 'a reason'`,
  'a call runs once under its idempotency key': `insert into answer_parts (slot, request_id, part, workspace_id, fingerprint, state, bytes)
    select 0, id, 0, 'ws_a', 'key_a POST /v1/chat/completions key b', 'whole', '' from unnest(array['req_a', 'req_b']) id`,
  'a settled run costs what was debited for it, an open one nothing yet': `update runs set settled_at = null, status = 'in_progress' where total_nanos > 0`,
  'a failed run costs nothing': `update runs set total_nanos = 1, subtotal_nanos = 1 where status = 'failed'`,
  'what a failed run consumed is absorbed, and nothing else is': `update runs set absorbed_nanos = 0`,
  'what a run cost is earned by its publisher, but for the fee and the platform’s cost': `update runs set publisher_workspace_id = 'ws_another'`,
  'what a run leaves in a clearing account has reached its publisher': `delete from ledger_legs where kind in ('earning', 'earning contra')`,
  'a settled run pays the platform its cost': `update runs set platform_cost_nanos = platform_cost_nanos - 1 where platform_cost_nanos > 0`,
  'only a run of a subsidised agent is subsidised': `update runs set rate_card = '{}' where subsidy_nanos > 0`,
  'the meters of a run add up to its cost': `update run_usage set cost_nanos = cost_nanos - 1`,
  'a rerun takes over what unbilled steps consumed': `insert into run_meters (run_id, step, meter, workspace_id, quantity_thousandths)
    select id, 1, 'tool_calls', workspace_id, 1 from runs order by id limit 1;
    update runs set rerun_of = (select min(id) from runs), rerun_from_step = 2, reuses_unbilled = true, started_at = now()`,
  'an open run has an open hold, a settled run none': `update holds set state = 'released', ended_at = now() where kind = 'run'`,
  'what was said in a run is deleted in time, and whole': `update runs set content_deleted_at = now() where status = 'completed'`,
  'a run that waits for its caller holds what it has consumed': `update runs set status = 'requires_action', required_action = '{"type":"text"}' where settled_at is null`,
  'a settled run costs no more than it held': `update holds set amount_nanos = 219 where kind = 'run'`,
  'a run costs, with the runs that it started, no more than its limit': `update runs set children_nanos = max_cost_nanos, parent_run_id =
    (select id from runs where total_nanos = 0 limit 1) where total_nanos > 0`,
  'the output of a run has what its model wrote, once and in order': `update runs set output = '[{"type":"output_text","text":"lost"}]'`,
  'the events of a run are numbered without a gap': `delete from run_events where sequence = 2`,
  'only the last event of a settled run states how it ended': `update runs set status = 'cancelled' where status = 'completed'`,
  'a payment is credited and taken back as its row says': `insert into topups (id, workspace_id, origin, amount_nanos, livemode, status, payment_intent)
    values ('top_1', 'ws_1', 'checkout', 5, false, 'paid', 'pi_1')`,
  'no publisher is paid more than it earned': `update ledger_legs set amount_nanos = -1 where kind = 'earning'`,
  'a payout moves its amount, as its state says': `insert into payouts (id, workspace_id, amount_nanos, destination, status, requested_by, requester)
    values ('po_1', 'ws_1', 5, 'balance', 'paid', 'ada', 'Ada')`,
  'a payout takes only earnings that had matured': transferOf(`now() - interval '1 day'`),
  'a transfer leaves what a negative balance lacks': `insert into accounts (id, workspace_id, kind, posted_nanos, reversed_nanos)
    values ('acct_1', 'ws_publisher', 'customer', -71, 71);
    insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos)
    values (0, 1, 'acct_1', 'ws_publisher', 'dispute', 'pi_1/1', -71, 1, -71); ${transferOf('now()')}`,
  'a withdrawn submission pays for its trials, and no more than they cost': `insert into deployments
    (id, workspace_id, agent_id, version_id, visibility, status, trials_billed_nanos) values ('dep_1', 'ws_1', 'agent_1', 'aver_1', 'public', 'withdrawn', 1)`,
  'the credentials of plugins are sealed': `insert into plugins (id, version, name, url, headers)
    values ('search', '1', 'Search', 'https://tools.example', '{"authorization": "Bearer plain"}')`,
};

/** A requested transfer of 10 of the publisher's 80 nano-USD, from earnings before this time. */
function transferOf(maturedBefore: string): string {
  return `select ledger_move('payout_hold', 'po_1', 'payable_ws_publisher', 'payouts', 10);
    insert into payouts (id, workspace_id, amount_nanos, destination, status, requested_by, requester, matured_before)
    values ('po_1', 'ws_publisher', 10, 'transfer', 'requested', 'ada', 'Ada', ${maturedBefore})`;
}

describe('planted corruption is detected:', () => {
  test('there is one for each rule', () => {
    const rules = [ENTRY_RULES, HOLD_RULES, REQUEST_RULES, RUN_RULES, PAYMENT_RULES, PAYOUT_RULES, SECRET_RULES]
      .flat()
      .map(({ rule }) => rule);
    expect(Object.keys(corruptions)).toEqual(rules);
  });

  test.each(Object.entries(corruptions))('%s', async (rule, corruption) => {
    // As the owner with triggers disabled: the ledger itself refuses most of these.
    await owner.query('begin; set local session_replication_role = replica');
    try {
      await owner.query(corruption);
      const { violations } = await readInvariants(owner);
      expect(violations.map((violation) => violation.rule)).toContain(rule);
      expect(violations.filter(({ detail }) => detail === null)).toEqual([]);
    } finally {
      await owner.query('rollback');
    }
  });
});

test.each([
  ['the time of an entry', `update requests set settled_at = settled_at - interval '1 day'`],
  [
    'the time of a transaction',
    `update ledger_legs set created_at = created_at - interval '1 day'; update requests set settled_at = settled_at - interval '1 day'`,
  ],
  ['the key of an entry', `update requests set key_id = 'key_another'`],
  [
    'the transaction of an entry',
    `update ledger_legs set transaction_id = 1000000 + transaction_id where transaction_id = (select max(transaction_id) from requests);
      update requests set transaction_id = 1000000 + transaction_id where transaction_id = (select max(transaction_id) from requests)`,
  ],
  [
    'what a publisher earns, taken from the fee',
    `update ledger_legs set amount_nanos = amount_nanos + case kind when 'earning' then 1 else -1 end where kind in ('earning', 'fee')`,
  ],
  ['the account that revenue goes to', `update ledger_legs set account_id = 'adjustments' where kind = 'revenue'`],
])('a changed ledger breaks the hash chain: %s', async (_, corruption) => {
  await owner.query('begin; set local session_replication_role = replica');
  try {
    await owner.query(corruption);
    const { violations } = await readInvariants(owner);
    expect(violations.map(({ rule }) => rule)).toContain('the hash chain holds');
  } finally {
    await owner.query('rollback');
  }
});

test('entries of the first version of the chain stay valid, before those of the second', async () => {
  await owner.query('begin; set local session_replication_role = replica');
  try {
    // The chains in their earlier form: every hash covers its own text, without a seal.
    await owner.query(asFirstVersion);
    const { rows } = await owner.query(`select workspace_id from accounts where id = ${anyCustomer}`);
    const { workspace_id: workspaceId } = rows[0] as { workspace_id: string };
    await owner.query(`select ledger_post('topup', 'after the change', $1, 'payments', 5)`, [workspaceId]);
    const versions = await owner.query(
      `select hash_version from ledger_entries where account_id = ${anyCustomer} order by sequence`,
    );
    expect(versions.rows.map((row: { hash_version: number | null }) => row.hash_version)).toEqual([
      ...Array.from({ length: versions.rows.length - 1 }, () => null),
      2,
    ]);
    expect((await readInvariants(owner)).violations).toEqual([]);
  } finally {
    await owner.query('rollback');
  }
});

test.each([
  ['a debit too many', `update key_days set spent_nanos = spent_nanos + 1`],
  ['a key day without a bill', `insert into key_days values ('key_none', '2020-01-01', 'ws_none', 5)`],
])('the days of a key are checked in both directions: %s', async (_, corruption) => {
  await owner.query('begin');
  try {
    await owner.query(corruption);
    const { violations } = await readInvariants(owner);
    expect(violations.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['the days of a key are what was billed to it']),
    );
  } finally {
    await owner.query('rollback');
  }
});
