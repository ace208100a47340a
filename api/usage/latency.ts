import type { z } from 'zod';
import { LATENCY_CALLS_MAX, readLatency, type Latency, type LatencyReport } from '../../db/accounting/callLatency.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { nowMsOf } from '../../calls/caller.ts';
import type { Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import { presentPercentiles } from './percentiles.ts';
import type { LatencyReport as Answer } from './usageAnswers.ts';
import { rangeOf } from './usageRange.ts';
import { presentNames, tooManyGroups, trySumHours } from './usage.ts';
import type { LatencyQuery } from './usageSchema.ts';

const SUM_BUDGET_MS = 1_000;

/** `GET /platform/v1/usage/latency`: how long calls took, by time and another group. */
export function retrieveLatency(services: Services): Handler<z.output<typeof LatencyQuery>> {
  const { db } = services;
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const { group_by: groupBy, ...given } = ctx.state.input;
    const range = rangeOf(given, groupBy, nowMsOf(ctx.state));
    await db.ledger.posted();
    await trySumHours(services, workspaceId, SUM_BUDGET_MS);
    const report = await readLatency(seenBy(db, ctx.state.key), { ...given, ...range, groupBy });
    if (report === 'too_many_groups') throw tooManyGroups();
    if (report === 'too_many_calls') throw tooManyCalls();
    ctx.body = {
      object: 'usage.latency',
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      group_by: groupBy,
      data: report.rows.map((row) => presentRow(row, groupBy, report)),
      total: presentLatency(report.total),
    } satisfies z.infer<typeof Answer>;
  };
}

const presentRow = (row: LatencyReport['rows'][number], groupBy: string[], { labels }: LatencyReport) => ({
  ...presentNames(row.names, groupBy, labels),
  ...presentLatency(row),
});

const presentLatency = ({ requests, durationMs, firstByteMs }: Latency) => ({
  requests,
  duration_ms: presentPercentiles(durationMs),
  first_byte_ms: presentPercentiles(firstByteMs),
});

const tooManyCalls = () =>
  validationErrorAt(['query', 'from'], `There are more than ${LATENCY_CALLS_MAX} calls. Choose a shorter range.`);
