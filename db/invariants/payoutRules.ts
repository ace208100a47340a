import type { Rule } from './rules.ts';

/** Payouts of earnings: never more than was earned, each once and as its row says. */
export const PAYOUT_RULES: Rule[] = [
  {
    rule: 'no publisher is paid more than it earned',
    sql: `select 'account ' || account_id || ' has ' || sum(amount_nanos) as detail from ledger_entries
      where account_id like 'payable\\_%' group by account_id having sum(amount_nanos) < 0`,
  },
  {
    rule: 'a payout moves its amount, as its state says',
    sql: `select coalesce('payout ' || p.id || ' of ' || p.amount_nanos || ' is ' || p.status, 'no payout ' || e.subject) || ', moved '
        || coalesce(e.moves, 'nothing') as detail
      from (select *, case status when 'paid' then 'payout' when 'requested' then 'payout_hold'
          when 'sent' then 'payout_hold payout_sent' else 'payout_hold payout_returned' end as moves from payouts) p
        full join (select subject, string_agg(kind, ' ' order by kind) as moves, min(abs(amount_nanos)) as least, max(abs(amount_nanos)) as most
          from ledger_entries where kind in ('payout', 'payout_hold', 'payout_sent', 'payout_returned') group by subject) e on e.subject = p.id
      where p.moves is distinct from e.moves or p.amount_nanos <> e.least or p.amount_nanos <> e.most`,
  },
];
