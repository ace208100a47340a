import type { Rows } from '../postgres/rows.ts';
import { isLiveSql } from '../workspaces/mode.ts';

/** How an upstream served the calls of the last hour, across all workspaces and processes. */
export interface UpstreamHealth {
  upstream: string;
  requests: number;
  /** Calls that failed at the upstream or in the platform: 5xx. */
  errors: number;
  /** Refused calls: 4xx, except disconnected clients. */
  refusals: number;
  firstByteP50Ms: number | null;
  lastError: { status: number; model: string; at: Date } | null;
}

/** Whether an upstream serves: it does not while more than half of its calls fail. */
export const isHealthy = ({ calls, failed }: { calls: number; failed: number }): boolean => failed * 2 <= calls;

/** Reads ended live calls: a call's upstream is the one that answered, or the last attempt's. */
export async function readUpstreamHealth(everywhere: Rows<undefined>): Promise<UpstreamHealth[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<UpstreamHealth>(HEALTH));
  return rows;
}

const LAST_ERROR = `(array_agg(json_build_object('status', status, 'model', model, 'at', settled_at) order by settled_at desc)
  filter (where status >= 500))[1]`;
const HEALTH = `
select upstream, count(*)::int as requests, count(*) filter (where status >= 500)::int as errors,
  count(*) filter (where status between 400 and 498)::int as refusals,
  percentile_disc(0.5) within group (order by first_byte_ms) as "firstByteP50Ms", ${LAST_ERROR} as "lastError"
from requests where settled_at > now() - interval '1 hour' and upstream is not null
  and ${isLiveSql('workspace_id')} group by upstream`;
