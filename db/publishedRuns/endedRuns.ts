import { isLiveSql } from '../workspaces/mode.ts';

/**
 * SQL: runs `r` that their publisher sees. Not the trials of reviews, which have a list of their own, nor the tests of other workspaces,
 * whose models are rules.
 */
export const PUBLISHED_RUN = `r.source <> 'review' and (r.workspace_id = r.publisher_workspace_id or ${isLiveSql('r.workspace_id')})`;

/**
 * SQL: runs `r` of an agent of a publisher; both are expressions. The second condition is written so that it has no index: the one by agent
 * and time is the right one, however few runs the planner expects.
 */
export const isOfAgentSql = (agent: string, publisher: string): string =>
  `r.agent_id = ${agent} and r.publisher_workspace_id is not distinct from ${publisher}`;

/**
 * SQL: the runs `r` of an agent that ended in a part of time: after `p`, which has `since` and `until`. With an offset, so that each part is
 * looked up in the index, whatever the planner expects of a join.
 */
export const endedInParts = (agent: string, publisher: string): string => `cross join lateral (
  select r.* from runs r where ${isOfAgentSql(agent, publisher)} and r.settled_at >= p.since and r.settled_at < p.until offset 0) r`;

/** SQL: why a run `r` failed, or which limit it reached; empty otherwise. Never the words of its caller. */
export const ENDING_CODE = `case when r.status in ('failed', 'limit_reached') then coalesce(r.status_reason, r.error ->> 'code', '') else '' end`;

/** SQL: the publisher's earning of a run `r`. */
export const EARNED_NANOS = 'r.subtotal_nanos + r.subsidy_nanos - r.platform_cost_nanos';

// Classes of durations grow by a twentieth, so that a duration is known to within 2.5 %.
const GROWTH = 1.05;

/** SQL: the class of a completed run's duration; null for others. */
export const DURATION_CLASS = `case when r.status = 'completed' then
  floor(ln(greatest(extract(epoch from r.completed_at - r.started_at) * 1000, 1)) / ln(${GROWTH}))::int end`;

/** The middle of a class of durations. */
export const secondsOfClass = (durationClass: number): number => GROWTH ** (durationClass + 0.5) / 1000;
