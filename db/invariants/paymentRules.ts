import type { Rule } from './rules.ts';

/** Payments into balances: each credited once, and never reversed by more than it paid. */
export const PAYMENT_RULES: Rule[] = [
  {
    rule: 'a payment is credited and taken back as its row says',
    sql: `select 'payment ' || t.id || ' of ' || t.amount_nanos || ', refunded ' || t.refunded_nanos || ', disputed ' || t.disputed_nanos || ', credited '
        || coalesce(e.credited, 0) || ', entries took ' || coalesce(e.refunded, 0) || ' and ' || coalesce(e.disputed, 0) as detail
      from topups t left join (select split_part(subject, '/', 1) as intent, sum(amount_nanos) filter (where kind = 'topup') as credited,
          -sum(amount_nanos) filter (where kind = 'topup_refund') as refunded, -sum(amount_nanos) filter (where kind = 'dispute') as disputed
        from ledger_legs where kind in ('topup', 'topup_refund', 'dispute') group by 1) e on e.intent = t.payment_intent
      where coalesce(e.credited, 0) <> case t.status when 'paid' then t.amount_nanos else 0 end or coalesce(e.refunded, 0) <> t.refunded_nanos
        or coalesce(e.disputed, 0) <> t.disputed_nanos or t.refunded_nanos + t.disputed_nanos > t.amount_nanos`,
  },
];

// Payouts since earnings mature, with the earnings taken until then, and the remainder.
const PAID = `paid as (
    select p.id as subject, p.workspace_id, p.destination, p.matured_before, e.account_id, e.transaction_id, e.taken, e.left_nanos
    from payouts p join (
      select account_id, kind, subject, transaction_id,
        -sum(amount_nanos) filter (where kind <> 'earning') over so_far as taken, sum(amount_nanos) over so_far as left_nanos
      from ledger_legs where account_id like 'payable\\_%' window so_far as (partition by account_id order by transaction_id)) e
      on e.subject = p.id and e.kind in ('payout contra', 'payout_hold')
    where p.matured_before is not null)`;

/**
 * Payouts of earnings: never more than was earned, each once and as its row says. Includes publishers' payments for withdrawn
 * submissions.
 */
export const PAYOUT_RULES: Rule[] = [
  {
    rule: 'no publisher is paid more than it earned',
    sql: `select 'account ' || account_id || ' has ' || sum(amount_nanos) as detail from ledger_legs
      where account_id like 'payable\\_%' group by account_id having sum(amount_nanos) < 0`,
  },
  {
    rule: 'a payout moves its amount, as its state says',
    sql: `select coalesce('payout ' || p.id || ' of ' || p.amount_nanos || ' is ' || p.status, 'no payout ' || e.subject) || ', moved '
        || coalesce(e.moves, 'nothing') as detail
      from (select *, case status when 'paid' then 'payout' when 'requested' then 'payout_hold'
          when 'sent' then 'payout_hold payout_sent' else 'payout_hold payout_returned' end as moves from payouts) p
        full join (select subject, string_agg(kind, ' ' order by kind) as moves, min(abs(amount_nanos)) as least, max(abs(amount_nanos)) as most
          from ledger_legs where kind in ('payout', 'payout_hold', 'payout_sent', 'payout_returned') group by subject) e on e.subject = p.id
      where p.moves is distinct from e.moves or p.amount_nanos <> e.least or p.amount_nanos <> e.most`,
  },
  {
    rule: 'a payout takes only earnings that had matured',
    sql: `with ${PAID}, matured as (
        select subject, sum(nanos) over (partition by account_id order by at) as nanos from (
          select account_id, null as subject, created_at as at, amount_nanos as nanos from ledger_legs where kind = 'earning'
          union all select account_id, subject, matured_before, 0 from paid) e)
      select 'payout ' || p.subject || ': ' || p.taken || ' were taken of ' || m.nanos || ' that had matured' as detail
      from paid p join matured m on m.subject = p.subject where p.taken > m.nanos`,
  },
  {
    rule: 'a transfer leaves what a negative balance lacks',
    sql: `with ${PAID}
      select 'payout ' || p.subject || ' left ' || p.left_nanos || ', the balance was ' || b.balance_after_nanos as detail
      from paid p join accounts a on a.workspace_id = p.workspace_id, lateral (
        select e.balance_after_nanos from ledger_entries e where e.account_id = a.id and e.sequence is not null
          and e.transaction_id < p.transaction_id order by e.sequence desc limit 1) b
      where p.destination = 'transfer' and p.left_nanos + b.balance_after_nanos < 0`,
  },
  {
    rule: 'a withdrawn submission pays for its trials, and no more than they cost',
    sql: `select 'deployment ' || d.id || ' is ' || d.status || ', says ' || coalesce(d.trials_billed_nanos, 0) || ' of ' || c.nanos || ', paid '
        || coalesce(e.paid, 0) as detail
      from deployments d left join (select split_part(subject, ' ', 1) as id, -sum(amount_nanos) as paid from ledger_legs
          where kind = 'adjustment' and subject like 'dep\\_%' group by 1) e on e.id = d.id,
        lateral (select coalesce(sum(r.total_nanos + r.children_nanos), 0) as nanos from runs r where r.agent_id = d.agent_id
          and r.source = 'review' and r.metadata ->> 'deployment_id' = d.id and r.settled_at is not null) c
      where coalesce(d.trials_billed_nanos, 0) <> coalesce(e.paid, 0)
        or (d.trials_billed_nanos > 0 and (d.status <> 'withdrawn' or d.trials_billed_nanos > c.nanos))`,
  },
];
