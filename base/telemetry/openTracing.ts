import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Context, Span, SpanContext } from '@opentelemetry/api';
import type * as Resources from '@opentelemetry/resources';
import type * as Sdk from '@opentelemetry/sdk-trace';
import type { Tracing } from '../tracing.ts';
import type { SamplerName, TracingConfig } from './config.ts';

/** `00-<trace>-<span>-<flags>`; later versions may append more. */
const TRACEPARENT =
  /^(?!ff)(?<version>[\da-f]{2})-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<more>-.*)?$/;
const ZERO = /^0+$/;

/** Loads OpenTelemetry's packages and sends spans to the configured receiver. `onProblem` is called when sending fails. */
export async function openTracing(
  { serviceName, sampler, samplingRatio, batching }: TracingConfig,
  onProblem: (message: string) => void,
): Promise<Tracing> {
  const [{ diag, DiagLogLevel, ROOT_CONTEXT, trace }, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ]);
  const ignore = () => undefined;
  diag.setLogger(
    { error: onProblem, warn: onProblem, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  );
  const random = new sdk.RandomIdGenerator();
  let nextSpanId: string | undefined;
  const provider = new sdk.TracerProvider({
    resource: resourceOf(resources, serviceName),
    sampler: samplerOf(sdk, sampler, samplingRatio),
    // The exporter reads OTEL_EXPORTER_OTLP_* itself.
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batching })],
    idGenerator: {
      generateTraceId: () => random.generateTraceId(),
      generateSpanId: () => nextSpanId ?? random.generateSpanId(),
    },
  });
  const tracer = provider.getTracer('ledgerline');
  const current = new AsyncLocalStorage<Span | undefined>();

  function contextOf(parent: Span | string | undefined): Context {
    if (typeof parent === 'object') return trace.setSpan(ROOT_CONTEXT, parent);
    const context = parent === undefined ? undefined : remoteContextOf(parent);
    return context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT;
  }

  return {
    active: () => current.getStore(),
    start: (name, { spanId, ...options }, parent) => {
      nextSpanId = spanId;
      try {
        return tracer.startSpan(name, options, contextOf(parent));
      } finally {
        nextSpanId = undefined;
      }
    },
    within: (span, work) => current.run(span, work),
    close: () => provider.shutdown().catch((error: unknown) => onProblem(String(error))),
  };
}

/** A caller's span. Undefined for an invalid header: then a new trace begins. */
function remoteContextOf(traceparent: string): SpanContext | undefined {
  const { version, traceId = '', spanId = '', flags = '', more } = TRACEPARENT.exec(traceparent)?.groups ?? {};
  if (version === undefined || ZERO.test(traceId) || ZERO.test(spanId) || (version === '00' && more)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

function samplerOf(sdk: typeof Sdk, name: SamplerName, ratio: number): Sdk.Sampler {
  const [, parent, kind] = /^(parentbased_)?(.+)$/.exec(name)!;
  const root =
    kind === 'traceidratio'
      ? new sdk.TraceIdRatioBasedSampler(ratio)
      : new (kind === 'always_on' ? sdk.AlwaysOnSampler : sdk.AlwaysOffSampler)();
  return parent ? new sdk.ParentBasedSampler({ root }) : root;
}

/** The sender of the spans. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence. */
function resourceOf(resources: typeof Resources, serviceName: string) {
  const { defaultResource, detectResources, resourceAttributesEnvDetector, resourceFromAttributes } = resources;
  const own = { 'service.name': serviceName, 'service.instance.id': randomUUID() };
  const detectors = [resourceAttributesEnvDetector, resources.serviceNameEnvDetector];
  return defaultResource().merge(resourceFromAttributes(own)).merge(detectResources({ detectors }));
}
