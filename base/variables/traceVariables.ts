import * as z from 'zod';
import { address, oneOf } from './variableTypes.ts';

/** The variables for traces, with OpenTelemetry's own names. */
export const TRACES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address('https?', 'http://collector:4318').optional().meta({
    about: 'Receiver of traces in OpenTelemetry’s protocol over HTTP, as http://host:4318',
    unset: 'no traces',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .meta({ isSecret: true, about: 'Headers of requests to that receiver, as name=value,name=value' }),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .meta({ about: 'Name of this program in traces', unset: 'ledgerline-api or ledgerline-worker' }),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .optional()
    .meta({ about: 'More about this program for traces, as name=value,name=value' }),
  OTEL_TRACES_SAMPLER: oneOf(
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  )
    .default('parentbased_always_on')
    .meta({ about: 'Which traces are recorded; parentbased: as the caller says, if there is one that traces' }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number')
    .min(0)
    .max(1)
    .default(1)
    .meta({ about: 'Part of the traces that traceidratio records, from 0 to 1' }),
};
