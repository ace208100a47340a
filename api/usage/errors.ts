import type { z } from 'zod';
import { readErrors, type ErrorCounts } from '../../db/accounting/callErrors.ts';
import { REFUSAL_DAYS } from '../../db/accounting/refusals.ts';
import { nowMsOf } from '../../calls/caller.ts';
import type { Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import { presentNames, tooManyGroups } from './usage.ts';
import type { ErrorReport } from './usageAnswers.ts';
import { rangeOf } from './usageRange.ts';
import type { ErrorQuery } from './usageSchema.ts';

const DAY_MS = 86_400_000;

/** `GET /platform/v1/usage/errors`: how many calls were refused and failed, by time and another group. */
export function retrieveErrors({ db }: Services): Handler<z.output<typeof ErrorQuery>> {
  return async (ctx) => {
    const { group_by: groupBy, ...given } = ctx.state.input;
    const nowMs = nowMsOf(ctx.state);
    const range = rangeOf(given, groupBy, nowMs);
    await Promise.all([db.ledger.posted(), db.refusals.written()]);
    const report = await readErrors(seenBy(db, ctx.state.key), { ...given, ...range, groupBy });
    if (!report) throw tooManyGroups();
    const { rows, total, labels } = report;
    ctx.body = {
      object: 'usage.errors',
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      refused_since: new Date(Math.max(range.from.getTime(), nowMs - REFUSAL_DAYS * DAY_MS)).toISOString(),
      group_by: groupBy,
      data: rows.map((row) => ({ ...presentNames(row.names, groupBy, labels), ...presentCounts(row) })),
      total: presentCounts(total),
    } satisfies z.infer<typeof ErrorReport>;
  };
}

const presentCounts = ({ refused, failed }: ErrorCounts) => ({ calls: refused + failed, refused, failed });
