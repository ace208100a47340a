import { isLiveSql } from '../workspaces/mode.ts';

/**
 * SQL: runs `r` that their publisher sees. Not the trials of reviews, which have a list of their own, nor the tests of other workspaces,
 * whose models are rules.
 */
export const PUBLISHED_RUN = `r.source <> 'review' and (r.workspace_id = r.publisher_workspace_id or ${isLiveSql('r.workspace_id')})`;

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
