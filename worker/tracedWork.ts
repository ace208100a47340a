import type { InjectedSinks, WorkerInterceptors } from '@temporalio/worker';
import { spanIdOfRun, TRACE_HEADER, traceparentIn } from '../base/temporalTracing.ts';
import { inSpan, markFailed, SPAN_KIND, traceFields, tracing, type Tracing } from '../base/tracing.ts';
import type { TraceSinks } from '../workflows/traces.ts';

/** Worker options that make workflows and activities continue the trace of the request that started them. */
export function workerTracing(): { activity: ActivityTracing[]; sinks: InjectedSinks<TraceSinks> } {
  if (tracing) return { activity: [traceActivity(tracing)], sinks: { traces: sinksTo(tracing) } };
  // If only the API traces, workflows have traces too.
  return { activity: [], sinks: { traces: { ended: { fn: () => undefined, callDuringReplay: false } } } };
}

type ActivityTracing = NonNullable<WorkerInterceptors['activity']>[number];

/** An activity's span belongs to its workflow's span. Activities without a trace, for example the sweeper's, are not recorded. */
const traceActivity =
  (to: Tracing): ActivityTracing =>
  ({ info: { workflowExecution: workflow, workflowType, activityType, attempt } }) => ({
    inbound: {
      execute(input, next) {
        const started = traceparentIn(input.headers[TRACE_HEADER]);
        if (!started || !workflow) return next(input);
        const attributes = { ...attributesOf(workflow, workflowType), 'temporal.activity.attempt': attempt };
        const parent = withSpan(started, workflow.runId);
        const options = { kind: SPAN_KIND.consumer, attributes, parent };
        return inSpan(to, `RunActivity:${activityType}`, options, () => next(input));
      },
    },
    // The library writes a line a moment later, when the span is no longer the active one.
    outbound: { getLogAttributes: (input, next) => next({ ...input, ...traceFields() }) },
  });

type TraceSink = InjectedSinks<TraceSinks>['traces'];

const sinksTo = (to: Tracing): TraceSink => ({
  ended: {
    callDuringReplay: false,
    fn: (info, trace, endedAtMs, failure) => {
      const started = traceparentIn(trace);
      const before = info.continuedFromExecutionRunId ?? info.parent?.runId;
      const parent = started && before ? withSpan(started, before) : started;
      const options = {
        attributes: attributesOf(info, info.workflowType),
        startTime: info.runStartTime,
        spanId: spanIdOfRun(info.runId),
      };
      const span = to.start(`RunWorkflow:${info.workflowType}`, options, parent);
      if (failure !== undefined) markFailed(span, failure);
      span.end(new Date(endedAtMs));
    },
  },
});

/** The same trace, with the span of a workflow's run. */
const withSpan = (traceparent: string, runId: string): string =>
  traceparent.replace(/(?<=^..-.{32}-).{16}/, spanIdOfRun(runId));

const attributesOf = ({ workflowId, runId }: { workflowId: string; runId: string }, workflowType = '') => ({
  'temporal.workflow.id': workflowId,
  'temporal.run.id': runId,
  'temporal.workflow.type': workflowType,
});
