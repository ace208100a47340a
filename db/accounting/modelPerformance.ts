import type { Rows } from '../postgres/rows.ts';
import type { Percentiles } from './callLatency.ts';
import { isLiveSql } from '../workspaces/mode.ts';

/** How the calls of a model, or of one of its upstreams, went. */
export interface Performance {
  model: string;
  /** Null for all upstreams of the model together. */
  upstream: string | null;
  /** Calls that were answered or that failed here or at the upstream; a caller's own faults are none of these. */
  calls: number;
  failed: number;
  /** The median and the 95th percentile of streams; null without any. */
  firstByteMs: Percentiles;
  durationMs: Percentiles;
  /** The median of streams, counted from their first event. */
  outputTokensPerSecond: number | null;
}

interface PerformanceReport {
  from: Date;
  to: Date;
  rows: Performance[];
}

const CALLS_MAX = 200_000;
const MINUTES_MAX = 60;
/** A stream of fewer tokens says nothing about speed. */
const TOKENS_MIN = 8;

/**
 * Of the live calls of all workspaces in the last hour: in fewer minutes where there are so many calls that a part of them tells as much.
 * A call's upstream is the one that answered, or the last attempt's.
 */
export async function readModelPerformance(everywhere: Rows<undefined>): Promise<PerformanceReport> {
  return everywhere.statement(async ({ client }) => {
    const { rows: counted } = await client.query<{ calls: number }>(LAST_MINUTE);
    const minutes = Math.max(1, Math.min(MINUTES_MAX, Math.floor(CALLS_MAX / Math.max(1, counted[0]!.calls))));
    const { rows } = await client.query<Performance & { from: Date; to: Date }>(PERFORMANCE, [minutes]);
    const to = rows[0]?.to ?? new Date();
    return { from: new Date(to.getTime() - minutes * 60_000), to, rows };
  });
}

const LAST_MINUTE = `select count(*)::int as calls from requests where settled_at > now() - interval '1 minute'`;

const PERCENTILES = 'percentile_disc(array[0.5, 0.95]) within group';
const PERFORMANCE = `
select now() as "to", model, upstream, count(*)::int as calls, count(*) filter (where not ok)::int as failed,
  ${PERCENTILES} (order by first_byte_ms) filter (where ok) as "firstByteMs",
  ${PERCENTILES} (order by duration_ms) filter (where ok) as "durationMs",
  percentile_cont(0.5) within group (order by output_tokens * 1000.0 / (duration_ms - first_byte_ms))
    filter (where ok and output_tokens >= ${TOKENS_MIN} and duration_ms > first_byte_ms) as "outputTokensPerSecond"
from (
  select model, upstream, status < 400 as ok, first_byte_ms, duration_ms, (usage->>'output_tokens')::numeric as output_tokens
  from requests where settled_at > now() - $1 * interval '1 minute' and upstream is not null and not cancelled
    and (status < 400 or status >= 500) and ${isLiveSql('workspace_id')}) c
group by grouping sets ((model), (model, upstream))
order by model, grouping(upstream) desc, upstream`;
