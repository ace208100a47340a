import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { ErrorReport, LatencyReport, UsageReport } from '../api/shapes.ts';
import type { Span } from './period.ts';

/** What a report is limited to. */
export interface Only {
  model?: string;
  key?: string;
  project?: string;
}

/** The reports of a page; undefined while they load. `ranked` is null where nothing is ranked. */
export interface Answers {
  usage: UsageReport | undefined;
  usageBefore: UsageReport | undefined;
  errors: ErrorReport | undefined;
  errorsBefore: ErrorReport | undefined;
  latency: LatencyReport | undefined;
  ranked: LatencyReport | undefined | null;
  latencyBefore: LatencyReport | undefined;
}

interface When {
  enabled?: boolean;
  refetchInterval?: number;
}

const optionsOf = ({ enabled = true, refetchInterval }: When) => ({
  enabled,
  ...(refetchInterval !== undefined && { refetchInterval }),
});

/** What was used. */
export function useUsage(groupBy: string, { from, to }: Span, only: Only, when: When) {
  const query = { group_by: groupBy, from, to, ...only };
  const call = (signal: AbortSignal) => api.GET('/platform/v1/usage', { params: { query }, signal });
  return useAnswer(['usage', query], call, optionsOf(when));
}

/** How long calls took. */
export function useLatency(groupBy: string, { from, to }: Span, only: Only, when: When) {
  const query = { group_by: groupBy, from, to, ...only };
  const call = (signal: AbortSignal) => api.GET('/platform/v1/usage/latency', { params: { query }, signal });
  return useAnswer(['usage', 'latency', query], call, optionsOf(when));
}

/** Which calls were refused or failed. */
export function useErrors(groupBy: string, { from, to }: Span, only: Only, when: When) {
  const query = { group_by: groupBy, from, to, ...only };
  const call = (signal: AbortSignal) => api.GET('/platform/v1/usage/errors', { params: { query }, signal });
  return useAnswer(['usage', 'errors', query], call, optionsOf(when));
}
