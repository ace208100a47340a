import { useMemo, useState } from 'react';
import { ALL, KIND } from './metrics.ts';
import { sumsOf } from './sums.ts';
import { useErrors, useLatency, useUsage, type Answers, type Only } from './useReports.ts';
import { errorView, latencyView, usageView, type Choice, type View } from './view.ts';

/** How often the reports of a period that is not over are read again. */
const EVERY_MS = 60_000;

/** What the reports say of a choice, and the sums of all metrics. While those of another choice load, what was shown stays. */
export function useView(
  choice: Choice,
  only: Only,
  { isKnown, isCompared }: { isKnown: boolean; isCompared: boolean },
) {
  const reports = useReports(choice, only, { isKnown, isCompared });
  const view = useMemo(() => viewOf(choice, reports.answers, isCompared), [choice, reports.answers, isCompared]);
  const sums = useMemo(() => sumsOf(reports.answers, isCompared), [reports.answers, isCompared]);
  return {
    view: useLatest(view),
    isStale: view === undefined,
    sums: useLatest(sums),
    isFailed: reports.isFailed,
    failure: view ? undefined : reports.failure,
    retry: reports.retry,
  };
}

/** The reports of all metrics: the chosen one by time and name, the others by time alone, for their sums. */
function useReports(
  { metric: { id }, by, period }: Choice,
  only: Only,
  { isKnown, isCompared }: { isKnown: boolean; isCompared: boolean },
) {
  const { unit, prior, openAt } = period;
  const refetchInterval = openAt === undefined ? undefined : EVERY_MS;
  const groupOf = (of: string) => (id === of && by !== KIND && by !== ALL ? `${unit},${by}` : unit);
  const usageBy = id === 'errors' || id === 'latency' ? unit : groupOf(id);
  const isNamed = id === 'latency' && by !== ALL;
  const [now, before] = [{ enabled: isKnown, refetchInterval }, { enabled: isKnown && isCompared }];
  const usage = useUsage(usageBy, period, only, now);
  const usageBefore = useUsage(usageBy, prior, only, before);
  const errors = useErrors(groupOf('errors'), period, only, now);
  const errorsBefore = useErrors(groupOf('errors'), prior, only, before);
  const latency = useLatency(groupOf('latency'), period, only, now);
  const ranked = useLatency(by, period, only, { ...now, enabled: isKnown && isNamed });
  const latencyBefore = useLatency(isNamed ? by : unit, prior, only, before);
  const chosen =
    id === 'errors'
      ? [errors, errorsBefore, usage]
      : id === 'latency'
        ? [latency, latencyBefore, ranked]
        : [usage, usageBefore];
  const answers = useMemo(
    (): Answers => ({
      usage: usage.data,
      usageBefore: usageBefore.data,
      errors: errors.data,
      errorsBefore: errorsBefore.data,
      latency: latency.data,
      ranked: isNamed ? ranked.data : null,
      latencyBefore: latencyBefore.data,
    }),
    [
      usage.data,
      usageBefore.data,
      errors.data,
      errorsBefore.data,
      latency.data,
      isNamed,
      ranked.data,
      latencyBefore.data,
    ],
  );
  return {
    answers,
    isFailed: [usage, errors, latency].some(({ error }) => error),
    failure: chosen.find(({ error }) => error)?.error,
    retry: () => chosen.forEach((query) => query.error && void query.refetch()),
  };
}

/** Undefined while a report of it is missing. */
function viewOf(choice: Choice, answers: Answers, isCompared: boolean): View | undefined {
  const { usage, usageBefore, errors, errorsBefore, latency, ranked, latencyBefore } = answers;
  if (choice.metric.id === 'errors') {
    if (!errors || !usage || (isCompared && !errorsBefore)) return undefined;
    return errorView(choice, { errors, prior: isCompared ? errorsBefore : undefined, usage });
  }
  if (choice.metric.id === 'latency') {
    if (!latency || ranked === undefined || (isCompared && !latencyBefore)) return undefined;
    return latencyView(choice, {
      byTime: latency,
      ranked: ranked ?? undefined,
      prior: isCompared ? latencyBefore : undefined,
    });
  }
  if (!usage || (isCompared && !usageBefore)) return undefined;
  return usageView(choice, usage, isCompared ? usageBefore : undefined);
}

/** The last known value. */
function useLatest<T>(value: T | undefined): T | undefined {
  const [latest, setLatest] = useState(value);
  if (value !== undefined && value !== latest) setLatest(value);
  return value ?? latest;
}
