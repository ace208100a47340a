import { z } from 'zod';
import type { Model } from '../../db/catalog/catalog.ts';
import { fresh } from '../../base/fresh.ts';
import { readModelPerformance, type Performance } from '../../db/accounting/modelPerformance.ts';
import { isHealthy } from '../../db/accounting/upstreamHealth.ts';
import type { Handler } from '../context.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import type { Services } from '../services.ts';
import { percentiles, presentPercentiles } from '../usage/percentiles.ts';

/** Fewer calls say nothing about a model, and much about who made them. */
const CALLS_MIN = 5;
/** How long an answer is used again, in each process: it reads the calls of everyone. */
const FRESH_MS = 15_000;

const measured = {
  success_rate: z
    .number()
    .nullable()
    .describe('The share of calls that did not fail here or at an upstream: from 0 to 1.'),
  first_byte_ms: percentiles.describe('Until the first event of a stream.'),
  duration_ms: percentiles,
  output_tokens_per_second: z.number().nullable().describe('The median of streams, counted from their first event.'),
};

const ModelPerformanceList = z.object({
  object: z.literal('list'),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  data: z.array(
    z.object({
      object: z.literal('model.performance'),
      model: z.string(),
      ...measured,
      upstreams: z
        .array(
          z.object({
            upstream: z.string(),
            is_available: z.boolean().describe('False while more than half of its calls fail.'),
            ...measured,
          }),
        )
        .describe('In the order in which they are tried.'),
    }),
  ),
});

export const modelPerformanceDoc = {
  tag: 'Models',
  summary: 'Read how fast the models are',
  description:
    'All models, as they answered everyone in the last hour; in fewer minutes on a busy installation. Calls in test ' +
    `mode, refused calls and calls whose clients left are not counted. Figures of fewer than ${CALLS_MIN} calls are null.`,
  answer: { id: 'ModelPerformanceList', schema: ModelPerformanceList },
} satisfies RouteDoc;

/** `GET /platform/v1/models/performance`: speed and availability of all models. */
export function listModelPerformance({ db, catalog }: Services): Handler {
  const report = fresh(FRESH_MS, () => db.ledger.posted().then(() => readModelPerformance(db.everywhere)));
  return async (ctx) => {
    const { from, to, rows } = await report();
    const known = new Map(rows.map((row) => [keyOf(row.model, row.upstream), row]));
    ctx.body = {
      object: 'list',
      from: from.toISOString(),
      to: to.toISOString(),
      data: catalog.models.map((model) => presentPerformance(model, known)),
    } satisfies z.infer<typeof ModelPerformanceList>;
  };
}

const keyOf = (model: string, upstream: string | null) => JSON.stringify([model, upstream]);

function presentPerformance({ id, upstreams }: Model, known: Map<string, Performance>) {
  return {
    object: 'model.performance' as const,
    model: id,
    ...presentMeasured(known.get(keyOf(id, null))),
    upstreams: [...new Set(upstreams.map(({ upstream }) => upstream))].map((upstream) => {
      const row = known.get(keyOf(id, upstream));
      return { upstream, is_available: !row || isHealthy(row), ...presentMeasured(row) };
    }),
  };
}

function presentMeasured(row: Performance | undefined) {
  const { calls = 0, failed = 0, firstByteMs, durationMs, outputTokensPerSecond } = row ?? {};
  if (calls < CALLS_MIN) {
    return { success_rate: null, first_byte_ms: null, duration_ms: null, output_tokens_per_second: null };
  }
  return {
    success_rate: (calls - failed) / calls,
    first_byte_ms: presentPercentiles(firstByteMs ?? null),
    duration_ms: presentPercentiles(durationMs ?? null),
    output_tokens_per_second:
      typeof outputTokensPerSecond === 'number' ? Math.round(outputTokensPerSecond * 10) / 10 : null,
  };
}
