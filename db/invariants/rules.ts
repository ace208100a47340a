import { KEPT_MINUTES } from '../answers/answerPart.ts';
import { isTestSql } from '../workspaces/mode.ts';

/** A rule of the ledger as a query for its violations: each row's `detail` identifies one. */
export interface Rule {
  rule: string;
  sql: string;
}

// The seal of each transaction as its rows give it now, and as it was written. Both are null for a transaction from before seals.
const SEALS = `
  select transaction_id, min(created_at) as at, max(created_at) as at_last,
    (array_agg(hash order by leg) filter (where sequence is null))[1] as kept,
    case when max(hash_version) is not null then ledger_seal(transaction_id, min(created_at), string_agg(
      ledger_leg(leg, account_id, workspace_id, kind, subject, amount_nanos), ',' order by leg) filter (where sequence is null)) end as seal
  from ledger_entries where kind is not null group by transaction_id`;

// The numbered entries of each account and the ranges of its numbers in dropped months, in order, each with what comes before it.
const LINKS = `
  select *, coalesce(lag(last) over account, 0) as last_before, coalesce(lag(after) over account, 0) as balance_before,
    lag(hash) over account as head
  from (
    select account_id, sequence as first, sequence as last, balance_after_nanos - amount_nanos as before, balance_after_nanos as after, hash,
      null::bytea as expected, transaction_id, leg, kind, subject, amount_nanos, key_id, hash_version, false as is_range
    from ledger_entries where sequence is not null
    union all
    select account_id, first_sequence, last_sequence, before_nanos, after_nanos, after_hash, before_hash, null, null, null, null, null, null, null, true
    from ledger_carried_ranges) l
  window account as (partition by account_id order by first, last)`;

/** What the accounts had at the end of the dropped months. */
export const CARRIED = `select id as account_id, nanos, entries from ledger_carried where kind = 'account'`;

/** Rules of entries: transactions balance, accounts add up, chains have no gap and no altered link. */
export const ENTRY_RULES: Rule[] = [
  {
    rule: 'entries sum to zero',
    sql: `select 'all entries sum to ' || sum(nanos) as detail from (
        select amount_nanos as nanos from ledger_entries union all select nanos from (${CARRIED}) c) e having sum(nanos) <> 0`,
  },
  {
    rule: 'each transaction sums to zero',
    sql: `select 'transaction ' || transaction_id || ' sums to ' || sum(amount_nanos) as detail
      from ledger_entries group by transaction_id having sum(amount_nanos) <> 0`,
  },
  {
    rule: 'a balance is the sum of its entries',
    sql: `select 'account ' || a.id || ' has ' || a.posted_nanos || ', its entries sum to ' || coalesce(e.total, 0) as detail
      from accounts a left join (select account_id, sum(nanos) as total from (
          select account_id, amount_nanos as nanos from ledger_entries union all select account_id, nanos from (${CARRIED}) c) p group by account_id) e
        on e.account_id = a.id
      where a.kind = 'customer' and a.posted_nanos <> coalesce(e.total, 0)`,
  },
  {
    rule: 'entries are numbered without a gap',
    sql: `select 'account ' || a.id || ' counts ' || a.entry_count || ' entries, has ' || coalesce(e.entries, 0) || ' up to ' || coalesce(e.last, 0) as detail
      from accounts a left join (select account_id, sum(last - first + 1) as entries, min(first) as first, max(last) as last
        from (${LINKS}) l group by account_id) e on e.account_id = a.id
      where a.kind = 'customer' and (a.entry_count, a.entry_count, a.entry_count) is distinct from
        (coalesce(e.entries, 0), coalesce(e.last, 0), coalesce(e.last - e.first + 1, 0))
      union all select 'account ' || account_id || ' entry ' || first || ' follows ' || last_before from (${LINKS}) l where first <> last_before + 1`,
  },
  {
    rule: 'an entry states the balance after it',
    sql: `select 'account ' || account_id || ' entry ' || first || ' states ' || after || ', it is ' || balance_before + after - before as detail
      from (${LINKS}) l where before is distinct from balance_before`,
  },
  {
    rule: 'the hash chain holds',
    sql: `select 'account ' || account_id || ' entry ' || first as detail
      from (${LINKS}) l left join (${SEALS}) s using (transaction_id)
      where case when is_range then expected is distinct from head
        when hash_version is null then hash is distinct from ledger_link(head, first, kind, subject, amount_nanos, after)
        else hash is distinct from ledger_chain(head, s.seal, leg, first, kind, subject, amount_nanos, after, key_id) end
      union all select 'account ' || a.id || ' head' from accounts a where a.kind = 'customer' and a.head_hash is distinct from
        (select l.hash from ((select e.sequence as last, e.hash from ledger_entries e where e.account_id = a.id and e.sequence is not null order by e.sequence desc limit 1)
          union all select r.last_sequence, r.after_hash from ledger_carried_ranges r where r.account_id = a.id) l order by l.last desc nulls last limit 1)`,
  },
  {
    rule: 'a hash never covers less than the one before it',
    sql: `select 'account ' || account_id || ' entry ' || sequence as detail
      from (select *, lag(hash_version) over (partition by account_id order by sequence) as before from ledger_entries where sequence is not null) e
      where coalesce(hash_version, 1) < coalesce(before, 1)`,
  },
  {
    rule: 'a transaction keeps the seal of its id, time and house legs',
    sql: `select 'transaction ' || transaction_id as detail from (${SEALS}) s where kept is distinct from seal or at <> at_last`,
  },
  {
    rule: 'an entry belongs to the workspace of its account',
    sql: `select 'transaction ' || e.transaction_id || ' leg ' || e.leg as detail from ledger_entries e left join accounts a on a.id = e.account_id
      where e.kind is not null and case e.kind when 'earning' then a.id is distinct from coalesce('payable_' || e.workspace_id, 'test_payable')
        when 'absorbed' then a.id is distinct from ledger_house('consumed', e.workspace_id) or e.workspace_id is null
        else a.id is null or e.workspace_id is distinct from a.workspace_id end`,
  },
  {
    rule: 'no test money moves to or from a live account',
    sql: `select 'transaction ' || transaction_id as detail from (select e.transaction_id, starts_with(a.id, 'test_') or coalesce(${isTestSql('a.workspace_id')}, false) as is_test
        from ledger_entries e join accounts a on a.id = e.account_id) e
      group by transaction_id having bool_or(is_test) <> bool_and(is_test)`,
  },
];

// A ceiling applies to the keys that its key made, too; and to the periods that begin after it was last changed: it may be set below what
// was spent before.
const beginsLater = (row: string, day: string) => `(${row}.limit_changed_at is null or ${row}.limit_changed_at <
  case ${row}.spend_limit_period when 'daily' then ${day}::timestamp when 'monthly' then date_trunc('month', ${day}::timestamp) end at time zone 'utc')`;
const TODAY = (row: string) => `(ledger_now(${row}.workspace_id) at time zone 'utc')::date`;
const SPENT_BY_PERIOD = `
  select k.id, k.spend_limit_nanos, case k.spend_limit_period when 'daily' then d.day::text when 'monthly' then to_char(d.day, 'YYYY-MM') else 'ever' end as period,
    sum(d.spent_nanos) as spent
  from api_keys k join api_keys t on t.id = k.id or (t.parent_id is not null and t.ancestors @> array[k.id])
    join key_days d on d.key_id = t.id where k.spend_limit_nanos is not null and ${beginsLater('k', 'd.day')} group by 1, 2, 3`;

// A debit counts towards the day on which its hold was placed: its own, or the previous day for a call that ran over midnight. What corrects
// it may count on the next day: a paused process that goes on holds money anew. Runs may take longer, and keep their holds. Test workspaces'
// clocks are moved: all of their days count as one.
const DAY = `case when ${isTestSql('workspace_id')} then date '2000-01-01' else day end`;
const SPENT_AND_BILLED = `
  with billed as (
    select b.key_id, ${DAY} as day, sum(b.nanos) as nanos from (
      select d.key_id, d.workspace_id, coalesce(h.day, (d.created_at at time zone 'utc')::date) as day, -(d.amount_nanos + coalesce(r.amount_nanos, 0)) as nanos
      from ledger_entries d left join ledger_legs r on r.kind = 'refund' and r.subject = d.subject
        left join runs u on u.id = d.subject left join holds h on h.id = u.hold_id
      where d.kind = 'debit'
      union all select q.key_id, q.workspace_id, (coalesce(d.created_at, c.created_at) at time zone 'utc')::date, -c.amount_nanos
      from ledger_legs c join requests q on q.id = c.subject
        left join ledger_entries d on d.kind = 'debit' and d.subject = c.subject
      where c.kind = 'correction'
      union all select id, null, day, nanos from ledger_carried where kind = 'key') b
    group by 1, 2)
  select key_id, day, sum(k.spent_nanos) over so_far as spent, sum(b.nanos) over so_far as billed,
    sum(k.spent_nanos) over a_day_later as spent_a_day_later, sum(b.nanos) over a_day_later as billed_a_day_later
  from (select key_id, ${DAY} as day, sum(spent_nanos) as spent_nanos from key_days group by 1, 2) k full join billed b using (key_id, day)
  window so_far as (partition by key_id order by day),
    a_day_later as (partition by key_id order by day range between unbounded preceding and interval '1 day' following)`;

/** Balances and holds: no account below zero, no key past its ceiling, no hold without an owner that will end it. */
export const HOLD_RULES: Rule[] = [
  {
    rule: 'a balance covers its holds',
    sql: `select 'account ' || a.id || ' has ' || a.posted_nanos || ', holds ' || coalesce(h.held, 0) as detail from accounts a
      left join (select account_id, sum(amount_nanos) as held from holds where state = 'open' group by account_id) h on h.account_id = a.id
      where a.kind = 'customer' and a.posted_nanos + a.reversed_nanos < coalesce(h.held, 0)`,
  },
  {
    rule: 'a key stays below its ceiling',
    sql: `select 'key ' || id || ' spent ' || spent || ' of ' || spend_limit_nanos || ' in ' || period as detail
      from (${SPENT_BY_PERIOD}) s where spent > spend_limit_nanos`,
  },
  {
    rule: 'a ceiling covers its holds',
    sql: `select 'key ' || k.id || ' holds ' || -r.key_free || ' more than its ceiling leaves' as detail
      from api_keys k, lateral ledger_room(k.id) r where k.spend_limit_nanos is not null and r.key_free < 0 and ${beginsLater('k', TODAY('k'))}`,
  },
  {
    rule: 'a project stays below its ceiling, with what its calls hold',
    sql: `select 'project ' || p.id || ' holds ' || -r.room[2] || ' more than its ceiling leaves' as detail
      from projects p, lateral (select ledger_project_room(p.id, ${TODAY('p')}) as room) r where r.room[2] < 0 and ${beginsLater('p', TODAY('p'))}`,
  },
  {
    rule: 'the days of a project are what was billed to it',
    sql: `select 'project ' || project_id || ' counts ' || coalesce(spent, 0) || ', was billed ' || coalesce(billed, 0) as detail
      from (select project_id, sum(spent_nanos) as spent from project_days group by 1) d full join (
        select project_id, sum(nanos) as billed from (
          select q.project_id, q.cost_nanos as nanos from requests q where q.project_id is not null
          union all select id, nanos from ledger_carried where kind = 'project'
          union all select r.project_id, r.total_nanos from runs r where r.project_id is not null and r.settled_at is not null) b
        group by 1) b using (project_id)
      where coalesce(spent, 0) <> coalesce(billed, 0)`,
  },
  {
    rule: 'the limit of a client secret covers what its calls spent and hold',
    sql: `select 'client secret ' || s.id || ' spent ' || s.spent_nanos || ', holds ' || coalesce(h.held, 0) || ', may spend ' || s.spend_limit_nanos as detail
      from client_secrets s join (select client_secret_id, sum(amount_nanos) filter (where state = 'open') as held from holds
        where client_secret_id is not null group by 1) h on h.client_secret_id = s.id
      where s.spent_nanos + coalesce(h.held, 0) > s.spend_limit_nanos or s.spent_nanos < 0`,
  },
  {
    rule: 'the days of a key are what was billed to it',
    sql: `select 'key ' || key_id || ' up to ' || day || ' counts ' || coalesce(spent, 0) || ', was billed ' || coalesce(billed, 0) as detail
      from (${SPENT_AND_BILLED}) s
      where coalesce(spent_a_day_later, 0) < coalesce(billed, 0) or coalesce(spent, 0) > coalesce(billed_a_day_later, 0)`,
  },
  {
    rule: 'a hold that ended was settled or released',
    sql: `select 'hold ' || id || ' is ' || state || ', ended ' || coalesce(ended_at::text, 'never') as detail from holds
      where (ended_at is not null) <> (state in ('settled', 'released'))`,
  },
  {
    rule: 'an open hold has a process that will end it',
    sql: `select 'hold ' || h.id || ' of ' || h.process_id as detail from holds h left join processes p on p.id = h.process_id
      where h.state = 'open' and (p.id is null or p.reaped_at is not null)
      union all select 'stream ' || g.request_id || ' of ' || g.process_id from request_progress g left join processes p on p.id = g.process_id
      where p.id is null or p.reaped_at is not null`,
  },
  {
    rule: 'a batch that has ended holds nothing',
    sql: `select 'part ' || p.id || ' of ' || p.batch_id || ' holds ' || p.hold_id as detail
      from batch_parts p join batches b on b.id = p.batch_id where p.ended_at is null and b.ended_at is not null`,
  },
  {
    rule: 'an account has one partial hold at a time',
    sql: `select 'account ' || account_id || ' has ' || count(*) as detail from holds
      where state = 'open' and partial group by account_id having count(*) > 1`,
  },
];

// Nothing is sent before its money is held, so the uncovered part comes from the upstream's higher count, or from a large prompt.
const OVERRUN_MAX_NANOS = 10_000_000;

// The house account, and that of test workspaces: the sum of their entries against the figures of their requests.
const totalsOf = (house: string) => `
  select account_id as account, sum(amount_nanos) as total from ledger_legs where account_id in ('${house}', 'test_${house}') group by 1`;
const worthOf = (house: string, nanos: string) => `
  select ledger_house('${house}', workspace_id) as account, sum(${nanos}) as total from requests group by 1`;

const isWhole = (part: string) =>
  `exists (select from answer_parts w where w.request_id = ${part}.request_id and w.state = 'whole')`;

/** The bill of each call: once, equal to its row, and none when it failed. */
export const REQUEST_RULES: Rule[] = [
  {
    rule: 'a request costs what was debited for it',
    sql: `select coalesce('request ' || r.id || ' costs ' || r.cost_nanos, 'no request ' || e.subject) || ', debited ' || coalesce(e.debited, 0) as detail
      from requests r full join (select subject, -sum(amount_nanos) as debited from ledger_entries
        where kind in ('debit', 'refund', 'correction') and subject not like 'run\\_%' group by subject) e on e.subject = r.id
      where r.cost_nanos is distinct from coalesce(e.debited, 0)`,
  },
  {
    rule: 'a call has all of its debit or nothing of it',
    sql: `select 'request ' || id || ' lacks a part' as detail from requests
      where num_nulls(transaction_id, leg, account_id, debited_nanos, sequence, balance_after_nanos, hash) not in (0, 7)`,
  },
  {
    rule: 'a failed request bills nothing',
    sql: `select 'request ' || id || ' ended with ' || status || ', costs ' || cost_nanos as detail from requests
      where status >= 400 and not cancelled and cost_nanos <> 0`,
  },
  {
    rule: 'a refused call bills nothing',
    sql: `select 'refused call ' || c.id || ' with ' || c.status || ' has a bill of ' || -sum(e.amount_nanos) as detail
      from refused_calls c join ledger_entries e on e.subject = c.id and e.kind in ('debit', 'refund', 'correction')
      where c.calls = 1 group by c.id, c.status having sum(e.amount_nanos) <> 0`,
  },
  {
    rule: 'revenue is the price of what was sold',
    sql: `select coalesce(e.account, r.account) || ' is ' || coalesce(e.total, 0) || ', the requests are worth ' || coalesce(r.total, 0) as detail
      from (${totalsOf('revenue')}) e full join (${worthOf('revenue', 'cost_nanos + written_off_nanos')}) r using (account)
      where coalesce(e.total, 0) <> coalesce(r.total, 0)`,
  },
  {
    rule: 'written off is what no hold covered',
    sql: `select coalesce(e.account, r.account) || ' is ' || -coalesce(e.total, 0) || ', the requests say ' || coalesce(r.total, 0) as detail
      from (${totalsOf('write_off')}) e full join (${worthOf('write_off', 'written_off_nanos')}) r using (account)
      where -coalesce(e.total, 0) <> coalesce(r.total, 0)
      union all select 'request ' || id || ' wrote off ' || written_off_nanos from requests where written_off_nanos < 0`,
  },
  {
    rule: 'a request writes off no more than it held',
    sql: `select 'request ' || id || ' held ' || hold_nanos || ', wrote off ' || written_off_nanos as detail
      from requests where written_off_nanos > greatest(hold_nanos, ${OVERRUN_MAX_NANOS})`,
  },
  {
    rule: 'a refunded answer is not kept for a retry',
    sql: `select 'request ' || e.subject || ' was refunded, and is kept' as detail
      from ledger_legs e join answer_parts p on p.request_id = e.subject and p.part = 0 where e.kind = 'refund'`,
  },
  {
    rule: 'no settlement waits to be posted for ten minutes',
    sql: `select 'batch ' || id || ' of ' || process_id || ', written ' || to_char(written_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as detail
      from settlement_batches where refusal is null and written_at < now() - interval '10 minutes'`,
  },
  {
    rule: 'no settlement is refused',
    sql: `select 'request ' || e.id || ' of workspace ' || coalesce(e.workspace, '') || ' costs ' || coalesce(e.cost, 0) || ', written '
        || to_char(b.written_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ': ' || b.refusal as detail
      from settlement_batches b, unnest(b.settlements::ledger_settlement[]) e where b.refusal is not null`,
  },
  {
    rule: 'a call runs once under its idempotency key',
    sql: `select 'requests ' || a.request_id || ' and ' || b.request_id || ' of workspace ' || a.workspace_id as detail
      from answer_parts a join answer_parts b on b.workspace_id = a.workspace_id and b.fingerprint = a.fingerprint and b.part = 0
        and b.request_id <> a.request_id and b.created_at between a.created_at and a.created_at + interval '${KEPT_MINUTES} minutes'
      where a.part = 0 and a.fingerprint like '% key %' and ${isWhole('a')} and ${isWhole('b')}`,
  },
];

/** Secrets that must not be readable in the tables. */
export const SECRET_RULES: Rule[] = [
  {
    rule: 'the credentials of plugins are sealed',
    sql: `select 'plugin ' || p.id || ' ' || p.version || ' header ' || h.key as detail
      from plugins p, jsonb_each(p.headers) h where jsonb_typeof(h.value) <> 'object'`,
  },
];
