import { z } from 'zod';
import { exportCalls } from '../../db/exports/exportCalls.ts';
import { nextMonthOf } from '../../db/accounting/statement.ts';
import { month } from '../body/timeRange.ts';
import type { Handler } from '../context.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { seenBy } from '../guard/projects.ts';
import { sendStream } from '../http/sendStream.ts';
import type { Services } from '../services.ts';

/** Query of `GET /platform/v1/usage/export`. */
export const UsageExportQuery = z.strictObject({
  month: month.meta({ description: 'A month of UTC, `YYYY-MM`.', examples: ['2026-11'] }),
});

/** `GET /platform/v1/usage/export`: the calls of a month as a Parquet file, for an analyst's own tools. */
export function downloadUsage({ db }: Services): Handler<z.output<typeof UsageExportQuery>> {
  return async (ctx) => {
    const { month } = ctx.state.input;
    await db.ledger.posted();
    ctx.attachment(`calls-${month}.parquet`);
    ctx.type = 'application/vnd.apache.parquet';
    const range = { from: new Date(`${month}-01`), to: new Date(nextMonthOf(month)) };
    // After a failure its end is missing, without which no reader opens the file.
    await sendStream(ctx, exportCalls(seenBy(db, ctx.state.key), range));
  };
}

/** Documentation of the export. */
export const usageExportDoc = {
  tag: 'Billing',
  summary: 'Download the calls of a month as Parquet',
  description:
    'One row for each ended call (by `settled_at`), compressed with Zstandard: for DuckDB, pandas, ClickHouse, BigQuery and others. ' +
    'Times are UTC, amounts are nano-USD; each unit has a column `units_…`. A bill that is changed after the end of its month stays as it ' +
    'was, and the change is a row of the month in which it was booked, with the `kind` `refund` or `correction`: a month sums up to the calls ' +
    'of its statement. A key that is limited to projects gets their calls. ' +
    'Runs are in the usage report, and refused calls in the list of requests.',
  query: UsageExportQuery,
} satisfies RouteDoc;
