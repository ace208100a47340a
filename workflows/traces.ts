import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';

// As in base/temporalTracing.ts: the bundle contains no code of the programs.
const TRACE_HEADER = '_tracer-data';

type Input = Parameters<NonNullable<NonNullable<WorkflowInterceptors['inbound']>[number]['execute']>>[0];
type Headers = Input['headers'];

/** The workflows' reports to the worker about their traces. */
export interface TraceSinks extends Sinks {
  traces: {
    /** A traced workflow has ended, by its own clock. */
    ended(trace: Headers[string], endedAtMs: number, failure: string | undefined): void;
  };
}

const { traces } = proxySinks<TraceSinks>();

/** Passes the trace of a workflow's starter on to its activities and children. Does nothing without a trace. */
export function interceptors(): WorkflowInterceptors {
  let trace: Headers[string] | undefined;

  const carrying = <I extends { headers: Headers }>(input: I): I =>
    trace ? { ...input, headers: { ...input.headers, [TRACE_HEADER]: trace } } : input;

  async function report(trace: Headers[string], ending: Promise<unknown>): Promise<unknown> {
    try {
      const result = await ending;
      traces.ended(trace, Date.now(), undefined);
      return result;
    } catch (error) {
      const { name } = error as Error;
      traces.ended(trace, Date.now(), name === 'ContinueAsNew' ? undefined : name);
      throw error;
    }
  }

  return {
    inbound: [
      {
        execute(input, next) {
          trace = input.headers[TRACE_HEADER];
          return trace ? report(trace, next(input)) : next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(carrying(input)),
        scheduleLocalActivity: (input, next) => next(carrying(input)),
        startChildWorkflowExecution: (input, next) => next(carrying(input)),
        continueAsNew: (input, next) => next(carrying(input)),
      },
    ],
  };
}
