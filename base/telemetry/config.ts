import { readVariables } from '../environment.ts';

/** How spans are made and sent. */
export interface TracingConfig {
  serviceName: string;
  sampler: SamplerName;
  /** The share of traces that a ratio sampler keeps. */
  samplingRatio: number;
  /** Limits of the queue of spans; undefined: OpenTelemetry's defaults. */
  batching: {
    scheduledDelayMillis: number | undefined;
    exportTimeoutMillis: number | undefined;
    maxQueueSize: number | undefined;
    maxExportBatchSize: number | undefined;
  };
}

export type SamplerName = ReturnType<typeof readVariables<'OTEL_TRACES_SAMPLER'>>['OTEL_TRACES_SAMPLER'];

const PROTOCOL = 'http/protobuf';

/**
 * The settings from OpenTelemetry's own variables; null: tracing is off. The library reads further receiver settings (timeouts,
 * compression, certificates) from the environment itself.
 * @throws an error that names each variable with an invalid value.
 */
export function readTracingConfig(serviceName: string, env: NodeJS.ProcessEnv = process.env): TracingConfig | null {
  const values = readVariables(env, [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
  ]);
  const isOff = env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined || isOff) return null;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || PROTOCOL;
  if (protocol !== PROTOCOL) throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL: must be ${PROTOCOL}`);
  // It may come from a file, which the library does not read.
  if (values.OTEL_EXPORTER_OTLP_HEADERS) env.OTEL_EXPORTER_OTLP_HEADERS = values.OTEL_EXPORTER_OTLP_HEADERS;
  return {
    serviceName,
    sampler: values.OTEL_TRACES_SAMPLER,
    samplingRatio: values.OTEL_TRACES_SAMPLER_ARG,
    batching: {
      scheduledDelayMillis: numberIn(env.OTEL_BSP_SCHEDULE_DELAY),
      exportTimeoutMillis: numberIn(env.OTEL_BSP_EXPORT_TIMEOUT),
      maxQueueSize: numberIn(env.OTEL_BSP_MAX_QUEUE_SIZE),
      maxExportBatchSize: numberIn(env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE),
    },
  };
}

// OpenTelemetry's specification: an invalid number counts as unset.
const numberIn = (text: string | undefined): number | undefined =>
  /^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined;
