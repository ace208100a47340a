import { unitName } from '../parts/figures.tsx';

/** The kinds of ledger entries. */
export const KINDS: Record<string, string> = {
  topup: 'Top-up',
  debit: 'Debit',
  refund: 'Refund',
  correction: 'Correction',
  adjustment: 'Adjustment',
  payout: 'Payout',
  earning: 'Earning',
  absorbed: 'Absorbed',
};

export const kindText = (kind: string): string => KINDS[kind] ?? unitName(kind);
