import type { Rule } from './rules.ts';

/** Payments into balances: each credited once, and no more taken back than it paid. */
export const PAYMENT_RULES: Rule[] = [
  {
    rule: 'a payment is credited and taken back as its row says',
    sql: `select 'payment ' || t.id || ' of ' || t.amount_nanos || ', refunded ' || t.refunded_nanos || ', disputed ' || t.disputed_nanos || ', credited '
        || coalesce(e.credited, 0) || ', entries took ' || coalesce(e.refunded, 0) || ' and ' || coalesce(e.disputed, 0) as detail
      from topups t left join (select split_part(subject, '/', 1) as intent, sum(amount_nanos) filter (where kind = 'topup') as credited,
          -sum(amount_nanos) filter (where kind = 'topup_refund') as refunded, -sum(amount_nanos) filter (where kind = 'dispute') as disputed
        from ledger_entries where kind in ('topup', 'topup_refund', 'dispute') group by 1) e on e.intent = t.payment_intent
      where coalesce(e.credited, 0) <> case t.status when 'paid' then t.amount_nanos else 0 end or coalesce(e.refunded, 0) <> t.refunded_nanos
        or coalesce(e.disputed, 0) <> t.disputed_nanos or t.refunded_nanos + t.disputed_nanos > t.amount_nanos`,
  },
];
