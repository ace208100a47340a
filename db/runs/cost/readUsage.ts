import type { LazyOrm } from '../../postgres/lazyOrm.ts';
import { inWorkspace } from '../../postgres/tenant.ts';
import { USAGE } from './usageStatement.ts';

/** Sums of settled runs: amounts in nano-USD as text. */
interface Sums {
  spentNanos: string;
  tasks: number;
  completed: number;
  failed: number;
  /** What failed runs consumed and nobody paid. */
  failedCostNanos: string;
  /** Of the newest completed runs; null when there are fewer than five. */
  medianCostNanos: string | null;
}

export interface UsageTotals extends Sums {
  limitReached: number;
  medianDurationSeconds: number | null;
  /** How many completed runs the medians are of. */
  sampleSize: number;
}

export interface AgentUsage extends Sums {
  agentId: string;
  agentName: string;
}

/** What a workspace's runs that settled on some whole days came to. A part without runs is null. */
export interface Usage {
  start: string;
  /** The end of today: days are whole. */
  end: string;
  days: number;
  totals: UsageTotals | null;
  /** The same of as many days before. */
  prior: UsageTotals | null;
  /** Every day of the range. `date` is `2026-11-21`, UTC. */
  daily: { date: string; spentNanos: string; completed: number; failed: number; cancelled: number }[];
  agents: AgentUsage[] | null;
  /** Days of the range on which an agent's runs settled, counted from 0. */
  agentDays: { agentId: string; day: number; spentNanos: string }[] | null;
  sources: { source: string; spentNanos: string; tasks: number }[] | null;
  meters: { meter: string; unit: string; quantityThousandths: string; costNanos: string }[] | null;
}

/** The usage of the last `days` days in UTC by the database's clock, today included. */
export async function readUsage(orm: LazyOrm, workspaceId: string, days: number): Promise<Usage> {
  const [usage] = await inWorkspace(orm, workspaceId, (em) =>
    em.execute<Usage[]>(USAGE, [days, workspaceId, workspaceId]),
  );
  return usage!;
}
