import { RETENTION_DAYS } from '../../base/limits.ts';
import { LAST_EVENT_TYPES, sqlListOf } from '../entities/runStates.ts';
import type { Rule } from './rules.ts';

const DEBITED = `select subject, -amount_nanos as debited from ledger_legs where kind = 'debit' and subject like 'run\\_%'`;

// For a run `r`, by its own price list: quantities are thousandths of units, prices US dollars. Rounded once, half up, like bills.
const PLATFORM_COST = `
  select coalesce(round(sum((r.meters ->> (m ->> 'id'))::numeric * (m ->> 'platform_cost_usd')::numeric * 1e6)), 0) as nanos
  from jsonb_array_elements(r.rate_card -> 'meters') m where m ? 'platform_cost_usd' and r.meters ? (m ->> 'id')`;

// One day less than events are kept, and two more until content is deleted: a sweep may be late.
const KEPT = `interval '${RETENTION_DAYS - 1} days'`;
const GONE = `interval '${RETENTION_DAYS + 2} days'`;

// A run already read since its end is not read again: texts are long.
const LATELY = `interval '1 day'`;

/** The bill, the hold and the events of each run: exactly once, in agreement, and no bill when it failed. */
export const RUN_RULES: Rule[] = [
  {
    rule: 'a settled run costs what was debited for it, an open one nothing yet',
    sql: `select coalesce('run ' || r.id || ' costs ' || r.total_nanos, 'no run ' || e.subject) || ', debited ' || coalesce(e.debited, 0) as detail
      from runs r full join (${DEBITED}) e on e.subject = r.id
      where (case when r.settled_at is null then 0 else r.total_nanos end) <> coalesce(e.debited, 0)`,
  },
  {
    rule: 'a failed run costs nothing',
    sql: `select 'run ' || id || ' costs ' || total_nanos as detail from runs where status = 'failed' and total_nanos <> 0`,
  },
  {
    rule: 'what a failed run consumed is absorbed, and nothing else is',
    sql: `select coalesce('run ' || r.id || ' is ' || r.status || ', says ' || r.absorbed_nanos, 'no run ' || e.subject)
        || ', absorbed ' || coalesce(e.amount_nanos, 0) as detail
      from runs r full join (select * from ledger_legs where kind = 'absorbed') e on e.subject = r.id
      where coalesce(r.absorbed_nanos, 0) <> coalesce(e.amount_nanos, 0) or (r.absorbed_nanos > 0 and r.status <> 'failed')
        or e.workspace_id <> r.workspace_id`,
  },
  {
    rule: 'what a run cost is earned by its publisher, but for the fee and the platform’s cost',
    sql: `select 'run ' || r.id || ' costs ' || r.subtotal_nanos || ' and ' || r.network_fee_nanos || ', earned ' || coalesce(e.amount_nanos, 0)
        || ' and ' || coalesce(f.amount_nanos, 0) || ' by ' || coalesce(e.account_id, 'no account') || ', platform '
        || coalesce(c.amount_nanos, 0) || ' with a subsidy of ' || -coalesce(s.amount_nanos, 0) as detail
      from runs r left join ledger_legs e on e.kind = 'earning' and e.subject = r.id
        left join ledger_legs f on f.kind = 'fee' and f.subject = r.id
        left join ledger_legs c on c.kind = 'run_cost' and c.subject = r.id
        left join ledger_legs s on s.kind = 'subsidy' and s.subject = r.id
      where r.settled_at is not null and (r.network_fee_nanos <> coalesce(f.amount_nanos, 0)
        or r.platform_cost_nanos <> coalesce(c.amount_nanos, 0) or r.subsidy_nanos <> -coalesce(s.amount_nanos, 0)
        or r.subtotal_nanos + r.subsidy_nanos - r.platform_cost_nanos <> coalesce(e.amount_nanos, 0)
        or e.account_id <> ledger_house('payable_' || r.publisher_workspace_id, r.workspace_id))`,
  },
  {
    rule: 'what a run leaves in a clearing account has reached its publisher',
    sql: `select 'run ' || subject || ' left ' || sum(amount_nanos) || ' in the account ' || account_id as detail
      from ledger_legs where kind in ('earning due', 'earning contra') group by subject, account_id having sum(amount_nanos) <> 0`,
  },
  {
    rule: 'a settled run pays the platform its cost',
    sql: `select 'run ' || r.id || ' pays ' || r.platform_cost_nanos || ' of ' || c.nanos || ', costs ' || r.total_nanos as detail
      from runs r, lateral (${PLATFORM_COST}) c
      where r.settled_at is not null and r.status <> 'failed' and r.platform_cost_nanos < least(c.nanos, r.total_nanos + r.subsidy_nanos)`,
  },
  {
    rule: 'only a run of a subsidised agent is subsidised',
    sql: `select 'run ' || id || ' is subsidised with ' || subsidy_nanos as detail from runs
      where subsidy_nanos <> 0 and not coalesce((rate_card ->> 'subsidised')::boolean, false)`,
  },
  {
    rule: 'the meters of a run add up to its cost',
    sql: `select 'run ' || r.id || ' costs ' || r.subtotal_nanos || ', its meters ' || coalesce(u.cost, 0) as detail
      from runs r left join (select run_id, sum(cost_nanos) as cost from run_usage group by run_id) u on u.run_id = r.id
      where coalesce(u.cost, 0) <> case when r.settled_at is null then 0 else r.subtotal_nanos end`,
  },
  {
    rule: 'a rerun takes over what unbilled steps consumed',
    sql: `select 'run ' || r.id || ' reuses step ' || m.step || ' of ' || r.rerun_of || ', has ' || coalesce(t.quantity_thousandths, 0)
        || ' of ' || m.quantity_thousandths || ' ' || m.meter as detail
      from runs r join run_meters m on m.run_id = r.rerun_of and m.step < r.rerun_from_step
        left join run_meters t on t.run_id = r.id and t.step = m.step and t.meter = m.meter
      where r.reuses_unbilled and r.started_at is not null and m.quantity_thousandths <> coalesce(t.quantity_thousandths, 0)`,
  },
  {
    rule: 'an open run has an open hold, a settled run none',
    sql: `select coalesce('run ' || r.id || ' is ' || r.status, 'no run') || ', hold ' || coalesce(h.id || ' is ' || h.state, 'is not there') as detail
      from runs r full join (select * from holds where kind = 'run') h on h.id = r.hold_id
      where r.id is null or h.id is null or h.account_id <> r.account_id or h.key_id <> r.key_id
        or (r.settled_at is null) <> (h.state = 'open')`,
  },
  {
    rule: 'what was said in a run is deleted in time, and whole',
    sql: `select 'run ' || r.id || ' ended ' || r.settled_at || case when r.content_deleted_at is null then ' and is kept' else ' and is kept in part' end as detail
      from runs r where (r.content_deleted_at is null and r.settled_at < now() - ${GONE})
        or (r.content_deleted_at is not null and (r.settled_at is null or r.input <> 'null' or r.output <> '[]'
          or exists (select from run_steps s where s.run_id = r.id)))
        or (r.deleted_at is not null and (r.content_deleted_at is null or exists (select from run_events e where e.run_id = r.id)))`,
  },
  {
    rule: 'a run that waits for its caller holds what it has consumed',
    sql: `select 'run ' || r.id || ' has consumed ' || r.total_nanos || ', holds ' || h.amount_nanos as detail
      from runs r join holds h on h.id = r.hold_id
      where r.status = 'requires_action' and not r.required_action ? 'answer' and h.amount_nanos > r.total_nanos`,
  },
  {
    rule: 'a settled run costs no more than it held',
    sql: `select 'run ' || r.id || ' costs ' || r.total_nanos || ', held ' || h.amount_nanos as detail
      from runs r join holds h on h.id = r.hold_id where r.settled_at is not null and r.total_nanos > h.amount_nanos`,
  },
  {
    rule: 'a run costs, with the runs that it started, no more than its limit',
    sql: `select 'run ' || r.id || ' costs ' || r.total_nanos || ', those below it ' || c.nanos || ', its limit is ' || r.max_cost_nanos as detail
      from runs r join (select parent_run_id, sum(total_nanos + children_nanos) as nanos from runs where parent_run_id is not null group by 1) c
        on c.parent_run_id = r.id
      where r.total_nanos + c.nanos > r.max_cost_nanos`,
  },
  {
    rule: 'the output of a run has what its model wrote, once and in order',
    sql: `select 'run ' || r.id || ' has ' || length(o.text) || ' characters of output, its steps wrote ' || length(s.text) as detail
      from runs r,
        lateral (select coalesce(string_agg(item ->> 'text', '' order by at), '') as text
          from jsonb_array_elements(r.output) with ordinality o(item, at) where item ->> 'type' = 'output_text') o,
        lateral (select coalesce(string_agg(s.result ->> 'text', '' order by s.step), '') as text
          from run_steps s where s.run_id = r.id and s.kind = 'model' and s.state = 'completed') s
      where r.content_deleted_at is null and coalesce(r.settled_at, now()) > now() - ${LATELY} and o.text <> s.text
        and not (r.reuses_unbilled and r.started_at is null)`,
  },
  {
    rule: 'the events of a run are numbered without a gap',
    sql: `select 'run ' || r.id || ' counts ' || r.last_sequence || ' events, has ' || coalesce(e.events, 0) || ' from ' || coalesce(e.first, 0)
        || ' to ' || coalesce(e.last, 0) as detail
      from runs r left join (select run_id, count(*) as events, min(sequence) as first, max(sequence) as last
        from run_events group by run_id) e on e.run_id = r.id
      where case when r.created_at > now() - ${KEPT} and r.deleted_at is null
        then (coalesce(e.first, 1), coalesce(e.events, 0), coalesce(e.last, 0)) <> (1, r.last_sequence, r.last_sequence)
        else e.events <> e.last - e.first + 1 or e.last <> r.last_sequence end`,
  },
  {
    rule: 'only the last event of a settled run states how it ended',
    sql: `select 'run ' || r.id || ' is ' || r.status || ', event ' || coalesce(e.sequence || ' of ' || r.last_sequence || ' is ' || e.type, 'there is none') as detail
      from runs r left join run_events e on e.run_id = r.id and e.type in ${sqlListOf(LAST_EVENT_TYPES)}
      where (r.settled_at is not null and r.settled_at > now() - ${KEPT} and r.deleted_at is null and e.sequence is null)
        or (e.sequence is not null and (r.settled_at is null or e.sequence <> r.last_sequence or e.type <> 'run.' || r.status))`,
  },
];
