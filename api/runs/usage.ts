import type { z } from 'zod';
import { RUN_METERS } from '../../db/entities/agentJson.ts';
import { usdOf } from '../../db/money.ts';
import { readUsage, type AgentUsage, type Usage, type UsageTotals } from '../../db/runs/cost/usage.ts';
import type { Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import type { UsageQuery } from './runSchema.ts';
import type { WorkspaceUsage } from './runAnswers.ts';

const DAYS = { '7d': 7, '30d': 30, '90d': 90 };
const SOURCE_LABELS: Record<string, string> = {
  api: 'API',
  chat: 'Chat',
  workstream: 'Workstream',
  schedule: 'Schedules',
  test: 'Tests of drafts',
  agent: 'Called by agents',
};

const NONE: UsageTotals = {
  spentNanos: '0',
  tasks: 0,
  completed: 0,
  failed: 0,
  limitReached: 0,
  failedCostNanos: '0',
  medianCostNanos: null,
  medianDurationSeconds: null,
  sampleSize: 0,
};

/** `GET /v1/usage`: the cost and results of the workspace's runs, from the rows of their settlements. */
export function retrieveUsage({ db }: Services): Handler<z.output<typeof UsageQuery>> {
  return async (ctx) => {
    const { range } = ctx.state.input;
    const usage = await readUsage(seenBy(db, ctx.state.key), DAYS[range]);
    const totals = usage.totals ?? NONE;
    ctx.body = {
      object: 'workspace.usage',
      range,
      range_start: new Date(usage.start).toISOString(),
      range_end: new Date(usage.end).toISOString(),
      totals: presentTotals(totals),
      prior: usage.prior && presentTotals(usage.prior),
      daily: usage.daily.map(({ date, spentNanos, completed, failed, cancelled }) => ({
        date,
        spent_usd: usd(spentNanos),
        completed,
        failed,
        cancelled,
      })),
      by_agent: (usage.agents ?? []).map((agent) => presentAgent(agent, usage)),
      by_source: (usage.sources ?? []).map(({ source, spentNanos, tasks }) => ({
        source,
        label: SOURCE_LABELS[source] ?? source,
        spent_usd: usd(spentNanos),
        tasks,
      })),
      by_meter: presentMeters(usage.meters ?? []),
      sample_size: totals.sampleSize,
    } satisfies z.infer<typeof WorkspaceUsage>;
  };
}

const usd = (nanos: string) => usdOf(BigInt(nanos));
const median = (nanos: string | null) => (nanos === null ? null : usd(nanos));

function presentTotals(totals: UsageTotals) {
  return {
    spent_usd: usd(totals.spentNanos),
    tasks: totals.tasks,
    completed: totals.completed,
    failed: totals.failed,
    limit_reached: totals.limitReached,
    failed_cost_usd: usd(totals.failedCostNanos),
    completion_rate: totals.tasks === 0 ? 0 : totals.completed / totals.tasks,
    median_cost_usd: median(totals.medianCostNanos),
    median_duration_seconds: totals.medianDurationSeconds,
  };
}

function presentAgent(agent: AgentUsage, { days, agentDays }: Usage) {
  const daily = Array.from({ length: days }, () => 0);
  for (const { agentId, day, spentNanos } of agentDays ?? [])
    if (agentId === agent.agentId) daily[day] = usd(spentNanos);
  return {
    agent_id: agent.agentId,
    agent_name: agent.agentName,
    spent_usd: usd(agent.spentNanos),
    tasks: agent.tasks,
    completed: agent.completed,
    failed: agent.failed,
    failed_cost_usd: usd(agent.failedCostNanos),
    median_cost_usd: median(agent.medianCostNanos),
    daily_spent_usd: daily,
  };
}

function presentMeters(meters: NonNullable<Usage['meters']>) {
  const wholeNanos = meters.reduce((sum, { costNanos }) => sum + Number(costNanos), 0);
  return meters.map(({ meter, unit, quantityThousandths, costNanos }) => ({
    id: meter,
    label: labelOf(meter),
    unit,
    quantity: Number(quantityThousandths) / 1000,
    cost_usd: usd(costNanos),
    share: wholeNanos === 0 ? 0 : Number(costNanos) / wholeNanos,
  }));
}

// Two parts of the cost are not metered: the top-up to the agent's minimum, and the platform's fee.
function labelOf(meter: string): string {
  if (meter in RUN_METERS) return RUN_METERS[meter as keyof typeof RUN_METERS].label;
  return meter === 'network_fee' ? 'Network fee' : 'Minimum cost';
}
