import type { LedgerRates } from './ledger.ts';
import { goalOf, none, type Row, short } from './report.ts';
import { medianOf } from './statistics.ts';

export function rowsOfLedger({ hot, spread, transactions, alone }: LedgerRates): Row[] {
  const perSecond = (rates: typeof transactions) => medianOf(rates.map((rate) => rate.perSecond));
  const ratioOf = (ours: number[], theirs: typeof transactions) =>
    medianOf(ours.map((perSecond, round) => perSecond / theirs[round]!.perSecond));
  const hotPerSecond = hot.map((rate) => rate.perSecond);
  const over = (rates: typeof transactions) => ratioOf(hotPerSecond, rates);
  const postedRow = (rates: typeof hot, goal: { min?: number }) => {
    const posted = rates.map((rate) => rate.postedPerSecond);
    const ratio = ratioOf(posted, transactions);
    const texts = { ours: short(medianOf(posted)), raw: short(perSecond(transactions)), ratio: ratio.toFixed(1) };
    return { ...none, ...texts, ...goalOf(ratio, goal) };
  };
  const aloneMs = medianOf(alone.map((rate) => rate.p50Ms));
  const hotText = short(perSecond(hot));
  const isEven = Math.abs(over(spread) - 1) <= 0.1;
  return [
    {
      ...none,
      figure: 'settlements/s, hot account, 64 waiters (ratio: to a transaction each)',
      ours: hotText,
      raw: short(perSecond(transactions)),
      ratio: over(transactions).toFixed(1),
      ...goalOf(over(transactions), { min: 10 }),
    },
    {
      ...none,
      figure: 'settlements/s, hot account (ratio: to spread over many)',
      ours: hotText,
      raw: short(perSecond(spread)),
      ratio: over(spread).toFixed(2),
      goal: '0.9 to 1.1',
      isMet: isEven,
    },
    { ...postedRow(hot, { min: 10 }), figure: 'settlements/s until all are in the ledger, hot account' },
    { ...postedRow(spread, {}), figure: 'settlements/s until all are in the ledger, spread over many' },
    { ...none, figure: 'settlement ms p50, 1 waiter', ours: short(aloneMs) },
  ];
}
