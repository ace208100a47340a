import type { WorkerInterceptors } from '@temporalio/worker';
import type { ReadGauge } from '../base/telemetry/metrics.ts';

/** An outage of seconds is over by then: the waits between the tries of an end add up to more than half a minute. */
const LATE_TRY = 10;

const counts = new Map<string, number>();

type ActivityInterceptors = NonNullable<NonNullable<WorkerInterceptors['activity']>[number]>;

/** Counts the failures of activities that have been tried often: most ends of workflows are tried until they succeed. */
export const countLateTries: ActivityInterceptors = ({ info }) => ({
  inbound: { execute: (input, next) => next(input).catch((error: unknown) => throwCounted(info, error)) },
});

type Info = Parameters<ActivityInterceptors>[0]['info'];

function throwCounted({ activityType, attempt }: Info, error: unknown): never {
  if (attempt >= LATE_TRY && (error as Error).name !== 'CancelledFailure')
    counts.set(activityType, (counts.get(activityType) ?? 0) + 1);
  throw error;
}

export const lateTriesGauge: ReadGauge & { isCounter: true } = {
  name: 'ledgerline_late_tries_total',
  help: `Failed tries of activities of workflows, from the tenth try on, by activity`,
  labels: ['activity'],
  isCounter: true,
  read: () => [...counts].map(([activity, value]) => ({ labels: { activity }, value })),
};
