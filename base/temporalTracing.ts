import type { Span } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { inSpan, SPAN_KIND, traceparentOf, tracing, type Tracing } from './tracing.ts';

/** The header in which Temporal's own tracing, in every language, carries a trace. */
export const TRACE_HEADER = '_tracer-data';

/** The client options that propagate traces to the workflows it starts. */
export function clientTracing(): { interceptors?: { workflow: WorkflowClientInterceptor[] } } {
  return tracing ? { interceptors: { workflow: [traceStarts(tracing)] } } : {};
}

// A workflow without a request, such as a scheduled one, begins a new trace.
function traceStarts(to: Tracing): WorkflowClientInterceptor {
  const traced = <I extends { workflowType: string; options: { workflowId: string }; headers: Headers }, O>(
    input: I,
    next: (input: I) => Promise<O>,
  ): Promise<O> => {
    const attributes = {
      'temporal.workflow.type': input.workflowType,
      'temporal.workflow.id': input.options.workflowId,
    };
    return inSpan(to, `StartWorkflow:${input.workflowType}`, { kind: SPAN_KIND.producer, attributes }, (span) =>
      next({ ...input, headers: { ...input.headers, [TRACE_HEADER]: payloadOf(span) } }),
    );
  };
  return { startWithDetails: traced, signalWithStart: traced };
}

type Headers = Record<string, Payload>;

function payloadOf(span: Span): Payload {
  return {
    metadata: { encoding: Buffer.from('json/plain') },
    data: Buffer.from(JSON.stringify({ traceparent: traceparentOf(span) })),
  };
}

/** The span that started a workflow; undefined when none is readable. */
export function traceparentIn(payload: Payload | undefined): string | undefined {
  if (!payload?.data) return undefined;
  try {
    const { traceparent } = JSON.parse(Buffer.from(payload.data).toString()) as { traceparent?: unknown };
    return typeof traceparent === 'string' ? traceparent : undefined;
  } catch {
    return undefined;
  }
}

/** The id of a workflow's span. Every worker derives it from the run's id, so it is known before the span ends. */
export const spanIdOfRun = (runId: string): string => runId.replaceAll('-', '').slice(-16);
