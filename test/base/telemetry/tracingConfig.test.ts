import { expect, test } from '@jest/globals';
import { readTracingConfig } from '../../../base/telemetry/config.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const read = (env: NodeJS.ProcessEnv) => readTracingConfig('ledgerline-api', env);

test.each<[string, NodeJS.ProcessEnv]>([
  ['an endpoint', {}],
  ['an endpoint that is not empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ['a library that is not disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
  ['an exporter', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
])('traces need %s', (_, env) => {
  expect(read(env)).toBeNull();
});

test('the variables have OpenTelemetry’s meaning', () => {
  expect(read(endpoint)).toMatchObject({ sampler: 'parentbased_always_on', samplingRatio: 1 });
  const env = { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
  expect(read({ ...env, OTEL_BSP_MAX_QUEUE_SIZE: '9', OTEL_BSP_SCHEDULE_DELAY: 'soon' })).toEqual({
    serviceName: 'ledgerline-api',
    sampler: 'traceidratio',
    samplingRatio: 0.25,
    batching: {
      maxQueueSize: 9,
      scheduledDelayMillis: undefined,
      exportTimeoutMillis: undefined,
      maxExportBatchSize: undefined,
    },
  });
});

test('a value that cannot be used is refused by name', () => {
  expect(() => read({ ...endpoint, OTEL_TRACES_SAMPLER: 'half' })).toThrow(/^OTEL_TRACES_SAMPLER: must be one of/);
  expect(() => read({ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(/^OTEL_TRACES_SAMPLER_ARG: /);
  expect(() => read({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(/^OTEL_EXPORTER_OTLP_PROTOCOL: /);
  expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow(/^OTEL_EXPORTER_OTLP_ENDPOINT: /);
});
