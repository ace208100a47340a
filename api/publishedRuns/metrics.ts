import type { z } from 'zod';
import { sumAgentHours } from '../../db/publishedRuns/agentHours.ts';
import { readAgentMetrics } from '../../db/publishedRuns/agentMetrics.ts';
import { QUALITY_DAYS } from '../../base/limits.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { nowMsOf } from '../../calls/caller.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { ownAgent } from './ownAgent.ts';
import { presentEndings, presentFigures } from './presentRuns.ts';
import type { AgentMetrics } from './runAnswers.ts';
import type { MetricsQuery } from './runQueries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest range of figures, and by the hour. */
const DAYS_MAX = 92;
const HOURLY_DAYS_MAX = 7;
const HOURLY_DAYS = 3;
// Hours that the sweep has not summed yet.
const SUM_BUDGET_MS = 1_000;

/**
 * `GET /v1/publisher/agents/{agent_id}/metrics`: figures of the runs that ended in a range, in total, by version and over time. Without a
 * range: the last 30 days. Throws 422 for a range that is too long.
 */
export function retrieveAgentMetrics(services: Services): Handler<z.output<typeof MetricsQuery>> {
  const { db } = services;
  return async (ctx) => {
    const agent = await ownAgent(ctx, services);
    const { whose, ...asked } = ctx.state.input;
    const { from, to, interval } = rangeOf(asked, nowMsOf(ctx.state));
    await sumAgentHours(db.everywhere, { ...agent, budgetMs: SUM_BUDGET_MS });
    const range = { ...agent, from, to };
    const { open, total, versions, slots } = await readAgentMetrics(db.everywhere, range, { whose, grain: interval });
    ctx.body = {
      object: 'publisher.agent.metrics',
      agent_id: agent.agentId,
      whose,
      interval,
      from: from.toISOString(),
      to: to.toISOString(),
      open_runs: open,
      totals: { ...presentFigures(total), errors: presentEndings(total.errors) },
      versions: versions.map((one) => ({
        version_id: one.versionId,
        version: one.version,
        ...presentFigures(one),
        errors: presentEndings(one.errors),
      })),
      data: slots.map((slot) => ({ start: slot.start.toISOString(), ...presentFigures(slot) })),
    } satisfies z.infer<typeof AgentMetrics>;
  };
}

function rangeOf(asked: Omit<z.output<typeof MetricsQuery>, 'whose'>, nowMs: number) {
  const to = asked.to ?? new Date((Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS);
  const from = asked.from ?? new Date(to.getTime() - QUALITY_DAYS * DAY_MS);
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  if (days <= 0) throw validationErrorAt(['query', 'from'], 'This is not before `to`.');
  const interval = asked.interval ?? (days <= HOURLY_DAYS ? 'hour' : 'day');
  if (days > DAYS_MAX) throw validationErrorAt(['query', 'from'], `A range has at most ${DAYS_MAX} days.`);
  if (interval === 'hour' && days > HOURLY_DAYS_MAX)
    throw validationErrorAt(['query', 'interval'], `By the hour, a range has at most ${HOURLY_DAYS_MAX} days.`);
  return { from, to, interval };
}
