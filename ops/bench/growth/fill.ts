import type { Client } from 'pg';
import { beginMonths } from './pastMonths.ts';

export const WORKSPACES = 1_000;
const KEYS = 3_000;
const DAYS = 90;
/** Calls of the measured workspace, at each size. */
const OWN_CALLS = 500;
/** Calls that were posted together. */
const CALLS_PER_TRANSACTION = 20;
const CREDIT_NANOS = 1_000_000_000_000;

/** The workspace and key with this number, from zero. The first workspace has the same number of calls and runs at each size. */
export const workspaceIdOf = (number: number): string => `ws_growth${String(number).padStart(10, '0')}`;
export const accountIdOf = (number: number): string => `acct_growth${String(number).padStart(10, '0')}`;
export const keyIdOf = (number: number): string => `key_growth${String(number).padStart(10, '0')}`;

const numbered = (prefix: string, number: string) => `'${prefix}_growth' || lpad((${number})::text, 10, '0')`;

/**
 * Fills an empty database with `calls` calls of a thousand workspaces over ninety days, and with their ledger entries, sums, holds, runs
 * and events, so that every rule of `ledger check` holds. Ids grow with time, like the product's.
 */
export async function fill(client: Client, calls: number, print: (text: string) => void): Promise<void> {
  // Triggers would check the entries of each statement, but all are inserted at once. `ledger check` reads them afterwards.
  await beginMonths(client, new Date(Date.now() - (DAYS + 40) * 86_400_000).toISOString().replace(/-\d\dT.*/, '-01'));
  await client.query(
    `set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB'; set jit = off`,
  );
  const steps = { ...ACCOUNTS, ...callSteps(calls), ...runSteps(calls), ...END };
  for (const [name, sql] of Object.entries(steps)) {
    print(`${calls} calls: ${name}`);
    await client.query(sql);
  }
  await client.query('reset session_replication_role');
  print(`${calls} calls: vacuum`);
  await client.query('vacuum (analyze, freeze)');
}

const ACCOUNTS = {
  accounts: `
    insert into workspaces (id, name, created_at) select ${numbered('ws', 'n')}, 'Workspace ' || n, now() - interval '${DAYS + 1} days'
    from generate_series(0, ${WORKSPACES - 1}) n;
    insert into accounts (id, workspace_id, kind, created_at)
    select ${numbered('acct', 'n')}, ${numbered('ws', 'n')}, 'customer', now() - interval '${DAYS + 1} days'
    from generate_series(0, ${WORKSPACES - 1}) n;
    insert into api_keys (id, workspace_id, account_id, name, hash, prefix, scopes, created_at)
    select ${numbered('key', 'n')}, ${numbered('ws', `n % ${WORKSPACES}`)}, ${numbered('acct', `n % ${WORKSPACES}`)}, 'Key ' || n,
      sha256(n::text::bytea), 'sk_' || lpad(n::text, 9, '0'), '{llm,agents}', now() - interval '${DAYS + 1} days'
    from generate_series(0, ${KEYS - 1}) n`,
};

// Of the other workspaces, a few have many calls and most have few.
const workspaceOf = (n: string, own: string) =>
  `case when ${own} then 0 else 1 + floor(${WORKSPACES - 1} * power((hashint8(${n}) & 65535) / 65536.0, 2))::int end`;
const idOf = (prefix: string, at: string, n: string) =>
  `'${prefix}_' || ledger_month_code(${at}) || left(md5((${n})::text), ${prefix === 'req' ? 8 : 14})`;
// As ledger_settle names the house's legs.
const SETTLEMENT = `first_id || ' settlement ' || tx`;

function callSteps(calls: number): Record<string, string> {
  const own = `n % ${calls / OWN_CALLS} = 0`;
  return {
    'plan of the calls': `
      create unlogged table filled as
      select n, ${idOf('req', 'at', 'n')} as id, w, w + ${WORKSPACES} * (n % ${KEYS / WORKSPACES})::int as k, at,
        (1000 + n % 5000)::bigint as charge, 2 * group_of + 1 + (date_trunc('month', at, 'UTC') > min(date_trunc('month', at, 'UTC')) over (partition by group_of))::int as tx,
        (n % ${CALLS_PER_TRANSACTION} + 1)::int as leg
      from (select n, n / ${CALLS_PER_TRANSACTION} as group_of, ${workspaceOf('n', own)} as w,
        date_trunc('milliseconds', now() - interval '${DAYS} days' * (1 - n::float8 / ${calls}) - interval '1 hour') as at
        from generate_series(0::bigint, ${calls - 1}) n) c;
      create unlogged table sealed as
      select *, ledger_seal(tx, at, ledger_leg(leg, 'revenue', null, 'revenue', ${SETTLEMENT}, charge)) as seal
      from (select tx, max(at) as at, max(leg) + 1 as leg, sum(charge)::bigint as charge, (select max(m.first_id) from ledger_months m
        where m.first_id <= min(id)) as first_id from filled group by tx) t;
      alter table sealed add primary key (tx);
      analyze filled, sealed`,
    'ledger entries': ENTRIES,
    requests: `
      insert into requests (id, workspace_id, key_id, route, model, status, cancelled, usage, cost_nanos, written_off_nanos, hold_nanos,
        started_at, first_byte_ms, duration_ms, stream_bytes, upstream, attempts, finish_reason, cached_tokens, reasoning_tokens, price_id,
        product, settled_at, transaction_id, leg, account_id, debited_nanos, sequence, balance_after_nanos, hash)
      select f.id, ${numbered('ws', 'f.w')}, ${numbered('key', 'f.k')}, '/v1/chat/completions', 'ledgerline-text-' || (1 + f.n % 2), 200, false,
        '{"input_tokens": 14, "output_tokens": 26}', f.charge, 0, 50000, f.at, 12, 480, 0, 'main', 1, 'stop', 0, 0, 'price_growth', 'text', c.at, c.tx, c.leg,
        ${numbered('acct', 'f.w')}, f.charge, c.sequence, c.after, c.hash
      from filled f join chained c using (n) order by f.n`,
    'sums of days and hours': SUMS,
    'holds of slices': `
      insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, state, day, created_at, ended_at)
      select ${idOf('hold', 'at', 'n')}, ${numbered('ws', 'w')}, ${numbered('acct', 'w')}, ${numbered('key', 'k')}, 'proc_growth', 'slice', 0,
        'released', (at at time zone 'utc')::date, at, at + interval '5 seconds'
      from filled where n % 10 = 0 order by n`,
    'keys and items of a day': `
      insert into idempotency_keys (workspace_id, route, key, fingerprint, resource_id, running_until, status, headers, body, created_at)
      select ${numbered('ws', 'w')}, 'POST /v1/chat/completions', md5(n::text), sha256(n::text::bytea), id, at, 200, '{}', repeat('x', 400),
        now() - interval '20 hours' * (1 - n::float8 / ${calls}) from filled where n % 20 = 0 order by n;
      insert into response_items (id, workspace_id, item, expires_at)
      select ${idOf('msg', 'at', 'n')}, ${numbered('ws', 'w')}, repeat('x', 400), now() + interval '1 hour' + interval '20 hours' * n / ${calls}
      from filled where n % 20 = 0 order by n`,
  };
}

const ENTRIES = `
  create function pg_temp.next_link(head bytea, seal bytea, leg bigint, sequence bigint, subject text, amount bigint, after bigint, key text)
  returns bytea language sql as $$ select ledger_chain(head, seal, leg, sequence, case when key is null then 'topup' else 'debit' end, subject,
    amount, after, key) $$;
  create aggregate pg_temp.link(bytea, bigint, bigint, text, bigint, bigint, text) (sfunc = pg_temp.next_link, stype = bytea);
  create unlogged table chained as
  select n, tx, leg, w, subject, amount, key, at, sequence, after,
    pg_temp.link(seal, leg, sequence, subject, amount, after, key) over (partition by w order by n rows unbounded preceding) as hash
  from (select *, row_number() over account as sequence, sum(amount) over account::bigint as after
    from (select f.n, f.tx, f.leg, f.w, f.id as subject, -f.charge as amount, ${numbered('key', 'f.k')} as key, s.at, s.seal
      from filled f join sealed s using (tx)
      union all
      select -1, -w - 1, 1, w, 'pi_growth' || w, ${CREDIT_NANOS}, null, t.at, ledger_seal(-w - 1, t.at,
        ledger_leg(2, 'payments', null, 'topup contra', 'pi_growth' || w, -${CREDIT_NANOS}))
      from generate_series(0, ${WORKSPACES - 1}) w, (select now() - interval '${DAYS + 1} days' as at) t) e
    window account as (partition by w order by n rows unbounded preceding)) numbered;
  insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos,
    hash, hash_version, key_id, created_at)
  select * from (
    select tx, leg, ${numbered('acct', 'w')}, ${numbered('ws', 'w')}, 'topup', subject, amount, sequence, after, hash, 2::smallint, null, at
      from chained where key is null
    union all select tx, leg, 'revenue', null, 'revenue', ${SETTLEMENT}, charge, null, null, seal, 2, null, at from sealed
    union all select tx, 2, 'payments', null, 'topup contra', subject, -amount, null, null,
      ledger_seal(tx, at, ledger_leg(2, 'payments', null, 'topup contra', subject, -amount)), 2, null, at from chained where key is null
  ) e order by at, tx, leg;
  update accounts a set posted_nanos = c.after, entry_count = c.sequence, head_hash = c.hash
  from (select distinct on (w) * from chained order by w, n desc) c where a.id = ${numbered('acct', 'c.w')};
  select setval('ledger_transaction_ids', (select max(tx) from sealed))`;

const SUMS = `
  insert into key_days (key_id, day, workspace_id, spent_nanos)
  select ${numbered('key', 'f.k')}, (s.at at time zone 'utc')::date, ${numbered('ws', 'min(f.w)')}, sum(f.charge)
  from filled f join sealed s using (tx) group by f.k, 2 order by 2, 1;
  insert into usage_hours (workspace_id, hour, key_id, model, route, price_id, product, requests, errors, cost_nanos, units)
  select workspace_id, date_trunc('hour', settled_at, 'UTC') as hour, key_id, model, route, price_id, 'text', count(*), 0, sum(cost_nanos),
    jsonb_build_object('input_tokens', 14 * count(*), 'output_tokens', 26 * count(*))
  from requests where settled_at < date_trunc('hour', now() - interval '10 minutes', 'UTC') group by 1, 2, 3, 4, 5, 6 order by hour;
  insert into usage_rollups (workspace_id, summed_until)
  select id, date_trunc('hour', now() - interval '10 minutes', 'UTC') from workspaces where id like 'ws_growth%'`;

const CALLS_PER_RUN = 20;
const EVENTS_PER_RUN = 20;
// Within the retention of events, so that the sweep deletes none of them.
const RUN_DAYS = 28;

// Runs without cost: they have a hold, steps and events, but no entries.
function runSteps(calls: number): Record<string, string> {
  const runs = calls / CALLS_PER_RUN;
  const run = `
    select n, ${idOf('run', 'at', 'n')} as id, ${idOf('hold', 'at', '-n')} as hold, w, at from (
      select n, ${workspaceOf('n', `n % ${runs / (OWN_CALLS / CALLS_PER_RUN)} = 0`)} as w,
        now() - interval '${RUN_DAYS} days' * (1 - n::float8 / ${runs}) - interval '1 hour' as at
      from generate_series(0::bigint, ${runs - 1}) n) r`;
  return {
    runs: `
      create unlogged table filled_runs as ${run};
      insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, state, day, created_at, ended_at)
      select hold, ${numbered('ws', 'w')}, ${numbered('acct', 'w')}, ${numbered('key', 'w')}, 'proc_growth', 'run', 1000000, 'released',
        (at at time zone 'utc')::date, at, at + interval '9 seconds' from filled_runs order by n;
      insert into runs (id, workspace_id, key_id, account_id, publisher_workspace_id, agent_id, agent, agent_name, version_id, version,
        session_id, visibility, status, input, output, on_limit, on_disconnect, if_session_busy, timeout_seconds, start_at, source, rate_card,
        max_cost_nanos, minimum_cost_nanos, hold_id, held_nanos, settled_at, last_sequence, created_at, started_at, completed_at,
        workflow_started_at)
      select id, ${numbered('ws', 'w')}, ${numbered('key', 'w')}, ${numbered('acct', 'w')}, ${numbered('ws', 'n % 20')},
        ${numbered('agt', 'n % 200')}, 'growth/agent', 'Agent', 'agv_growth', '1.0.0', 'ses_' || substr(id, 5), 'public', 'completed',
        '"A question of a caller, with a few words."', '[{"type": "output_text", "text": "An answer of an agent, with a few words."}]',
        'stop', 'continue', 'queue', 600, at, 'api', '{"meters": []}', 1000000, 0, hold, 1000000, at + interval '9 seconds',
        ${EVENTS_PER_RUN}, at, at, at + interval '9 seconds', at from filled_runs order by n;
      insert into run_steps (run_id, step, workspace_id, id, kind, name, state, result, started_at, ended_at)
      select id, s, ${numbered('ws', 'w')}, 'step_' || substr(id, 5) || s, 'model', 'call', 'completed',
        case s when 1 then '{"text": ""}'::jsonb else '{"text": "An answer of an agent, with a few words."}' end, at, at
      from filled_runs, generate_series(1, 2) s order by n, s`,
    events: eventsSql,
  };
}

// Inserts and deletes the previous month's events first: this month's reuse their pages, as after months of use.
const eventsSql = `
  insert into run_events (run_id, sequence, workspace_id, type, data, created_at)
  select id, s, ${numbered('ws', 'w')}, 'run.output_text.delta', '{"delta": "a few words of an answer", "output_index": 0}', at - interval '32 days'
  from filled_runs, generate_series(1, ${EVENTS_PER_RUN}) s order by n, s;
  delete from run_events`;

const END = {
  'pages of old events': 'vacuum (truncate off) run_events',
  'events of this month': `
  insert into run_events (run_id, sequence, workspace_id, type, data, created_at)
  select id, s, ${numbered('ws', 'w')}, case s when ${EVENTS_PER_RUN} then 'run.completed' else 'run.output_text.delta' end,
    '{"delta": "a few words of an answer", "output_index": 0}', at + s * interval '400 milliseconds'
  from filled_runs, generate_series(1, ${EVENTS_PER_RUN}) s order by n, s;
  insert into processes (id, lease_until, reaped_at) values ('proc_growth', now(), now());
  drop table filled, sealed, chained, filled_runs`,
};
