import type { InferEntity } from '@mikro-orm/core';
import type { Pricing } from '../../entities/agentJson.ts';
import type { ResolvedAgent } from '../../agents/publicAgents.ts';
import type { RunQuote } from '../../entities/quote.ts';
import { nanosOfUsd, usdOf } from '../../money.ts';
import type { Rows } from '../../postgres/rows.ts';
import { costOf } from './runCost.ts';
import type { RunRow } from '../runRow.ts';

/** How long a quoted price holds. */
export const QUOTE_MINUTES = 15;

// Others must not learn the cost of a workspace's runs: neither from a few runs, nor from those of one workspace.
const RUNS_MIN = 5;
const WORKSPACES_MIN = 3;
const RUNS_MAX = 500;
const DAYS = 90;

export type Quote = InferEntity<typeof RunQuote>;

/** The probable cost of a run of a version, by the basis of the estimate. US dollars; null without a sample. */
export interface Estimate {
  p50Usd: number | null;
  p90Usd: number | null;
  sampleSize: number;
  basedOn: 'version' | 'other_versions' | 'rate_card';
}

/**
 * Estimates the cost of a run from the usage of the version's settled runs, at these prices; otherwise from the agent's other versions;
 * otherwise nothing is known beyond the price list. Percentiles are rounded up to two digits, so that no single run's cost can be
 * read.
 */
export async function estimateCost(
  everywhere: Rows<undefined>,
  order: { workspaceId: string; agent: ResolvedAgent; pricing: Pricing; maxUsd: number },
): Promise<Estimate> {
  const { workspaceId, agent, pricing, maxUsd } = order;
  for (const basedOn of ['version', 'other_versions'] as const) {
    const values = [agent.agentId, agent.versionId, basedOn === 'version', DAYS, RUNS_MAX];
    const query = { name: `runs_sample`, text: SAMPLE, values };
    const { rows } = await everywhere.statement(({ client }) => client.query<SampledRun>(query));
    const sample = anonymous(rows, workspaceId);
    if (sample.length < RUNS_MIN) continue;
    const costs = sample.map((run) => costAt(run, pricing, maxUsd)).toSorted((one, other) => (one < other ? -1 : 1));
    const at = (share: number) => Math.min(maxUsd, roundUp(usdOf(costs[Math.ceil(costs.length * share) - 1]!)));
    return { p50Usd: at(0.5), p90Usd: at(0.9), sampleSize: sample.length, basedOn };
  }
  return { p50Usd: null, p90Usd: null, sampleSize: 0, basedOn: 'rate_card' };
}

interface SampledRun extends Pick<RunRow, 'workspace_id' | 'meters' | 'children_nanos'> {
  status: string;
}

/** All runs, if they come from enough workspaces; otherwise the caller's own. */
function anonymous(runs: SampledRun[], workspaceId: string): SampledRun[] {
  const isMixed = new Set(runs.map((run) => run.workspace_id)).size >= WORKSPACES_MIN;
  return isMixed ? runs : runs.filter((run) => run.workspace_id === workspaceId);
}

/** With what the agents have cost that it called. */
function costAt({ status, meters, children_nanos }: SampledRun, pricing: Pricing, maxUsd: number): bigint {
  const run = { rate_card: pricing, meters, held_nanos: `${nanosOfUsd(maxUsd)}` } as RunRow;
  const minimumNanos = status === 'completed' ? nanosOfUsd(pricing.minimum_cost_usd) : 0n;
  return costOf(run, { minimumNanos }).totalNanos + BigInt(children_nanos);
}

/** Rounded up to two significant digits. */
function roundUp(usd: number): number {
  if (usd === 0) return 0;
  const digits = Math.max(0, Math.min(9, 1 - Math.floor(Math.log10(usd))));
  // The quotient is corrected, because 0.29 * 100 is a little more than 29.
  return Math.ceil(Number((usd * 10 ** digits).toPrecision(12))) / 10 ** digits;
}

// Reruns and tests cost less than a full run.
const SAMPLE = `
select workspace_id, status, meters, children_nanos from runs
where agent_id = $1 and (version_id = $2) = $3 and status in ('completed', 'limit_reached') and rerun_of is null
  and source not in ('review', 'test') and settled_at > now() - make_interval(days => $4)
order by settled_at desc limit $5`;

/** Stores a quote and removes some that expired long ago. */
export async function createQuote(
  everywhere: Rows<undefined>,
  quote: { id: string; workspaceId: string; agent: string; versionId: string; visibility: string; rateCard: Pricing },
): Promise<Date> {
  const { id, workspaceId, agent, versionId, visibility, rateCard } = quote;
  const values = [id, workspaceId, agent, versionId, visibility, JSON.stringify(rateCard), QUOTE_MINUTES];
  const { rows } = await everywhere.statement(({ client }) => client.query<{ at: Date }>(CREATE, values));
  return rows[0]!.at;
}

const CREATE = `
with old as (
  delete from run_quotes where id in (select id from run_quotes where expires_at < now() - interval '1 day' order by expires_at limit 100))
insert into run_quotes (id, workspace_id, agent, version_id, visibility, rate_card, expires_at)
values ($1, $2, $3, $4, $5, $6, ledger_now($2) + make_interval(mins => $7)) returning expires_at as at`;

/** A quote of the workspace, and whether its price still holds; undefined when there is none. */
export async function findQuote(
  rows: Rows,
  id: string,
): Promise<(Pick<Quote, 'agent' | 'versionId' | 'visibility' | 'rateCard'> & { isExpired: boolean }) | undefined> {
  const found = await rows.statement(({ client, workspaceId }) => client.query(FIND, [id, workspaceId]));
  return found.rows[0];
}

const FIND = `
select agent, version_id as "versionId", visibility, rate_card as "rateCard", expires_at <= ledger_now(workspace_id) as "isExpired"
from run_quotes where id = $1 and workspace_id = $2`;
