import type { z } from 'zod';
import type { AccountStatement, SpendLine } from '../../db/accounting/statement.ts';
import { PRODUCT_NAMES } from '../../db/catalog/products.ts';
import { usdOf } from '../../db/money.ts';
import type { StatementRow as RowAnswer } from './billingAnswers.ts';

/** A shown row of a statement. Its amount is signed by its effect on the balance. */
export interface StatementRow {
  line: z.infer<typeof RowAnswer>['line'];
  label: string;
  spend: SpendLine | null;
  nanos: bigint;
}

/**
 * The rows of a statement, in the order of the page, the CSV and the PDF: all rows before the last one add up to it, the closing balance.
 */
export function rowsOf(statement: AccountStatement): StatementRow[] {
  const row = (line: StatementRow['line'], label: string, nanos: bigint) => ({ line, label, spend: null, nanos });
  return [
    row('opening_balance', 'Opening balance', statement.openingNanos),
    row('topups', 'Payments', statement.topupsNanos),
    row('refunds', 'Payments refunded or disputed', statement.refundsNanos),
    row('adjustments', 'Adjustments', statement.adjustmentsNanos),
    row('payouts', 'Earnings paid out to the balance', statement.payoutsNanos),
    ...statement.spend.map((spend) => ({
      line: 'spend' as const,
      label: PRODUCT_NAMES[spend.product],
      spend,
      nanos: -spend.costNanos,
    })),
    row('closing_balance', 'Closing balance', statement.closingNanos),
  ];
}

export const presentRow = ({ line, label, spend, nanos }: StatementRow): z.infer<typeof RowAnswer> => ({
  line,
  label,
  product: spend?.product ?? null,
  name: spend?.agent ?? spend?.model ?? null,
  requests: spend?.requests ?? null,
  amount_usd: usdOf(nanos),
});
