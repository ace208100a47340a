import { z } from 'zod';
import { ratesIn } from '../../db/catalog/prices.ts';
import { readPriceHistory } from '../../db/liveCatalog/priceHistory.ts';
import type { PriceRow } from '../../db/liveCatalog/proposals.ts';
import { modelNotFound } from '../../calls/errors/modelErrors.ts';
import { isOperator } from '../console/operatorKey.ts';
import type { Handler } from '../context.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import type { Services } from '../services.ts';
import { usdPerMillionOf } from './units.ts';

const HISTORY_MAX = 100;

const ModelPriceList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('model.price'),
      model: z.string(),
      usd_per_million: z.record(z.string(), z.number()).describe('US dollars for a million of each unit.'),
      batch_percentage: z.int().nullable().describe('What a line of a batch costs of that; null: the same.'),
      valid_from: z.iso.datetime(),
      valid_until: z.iso.datetime().nullable().describe('Null: no later price is known.'),
      is_present: z.boolean(),
      set_by: z.string().nullable().describe('For operators alone; null for others, and for prices of the file.'),
      approved_by: z.string().nullable().describe('For operators alone.'),
    }),
  ),
});

export const modelPricesDoc = {
  tag: 'Models',
  summary: 'List the prices of a model',
  description:
    'What it costs, has cost and will cost, the newest first. A call costs what held when it started; a price never ' +
    'changes backwards. Percent-encode a slash in an id.',
  answer: { id: 'ModelPriceList', schema: ModelPriceList },
  errors: [404],
} satisfies RouteDoc;

/** `GET /platform/v1/models/{id}/prices`: the history of a model's prices. Throws 404 `model_not_found`. */
export function listModelPrices(services: Services): Handler {
  const { db, catalog } = services;
  return async (ctx) => {
    const name = ctx.state.params.id!;
    const model = catalog.find(name);
    if (!model) throw modelNotFound(name, catalog.nearest(name));
    const rows = await readPriceHistory(db.read(ctx.state.key.workspaceId), model.id, HISTORY_MAX);
    const shows = await isOperator(services, ctx);
    const nowMs = Date.now();
    const data = rows.map((row, at) => present(row, { next: rows[at - 1], nowMs, shows }));
    ctx.body = { object: 'list', data } satisfies z.infer<typeof ModelPriceList>;
  };
}

function present(row: PriceRow, about: { next: PriceRow | undefined; nowMs: number; shows: boolean }) {
  const { next, nowMs, shows } = about;
  const fromMs = row.validFrom!.getTime();
  const untilMs = next?.validFrom!.getTime() ?? Infinity;
  return {
    object: 'model.price' as const,
    model: row.model,
    usd_per_million: usdPerMillionOf(ratesIn(row.rates)),
    batch_percentage: row.batchPercentage,
    valid_from: row.validFrom!.toISOString(),
    valid_until: next?.validFrom!.toISOString() ?? null,
    is_present: fromMs <= nowMs && nowMs < untilMs,
    set_by: shows ? row.proposer : null,
    approved_by: shows ? row.decider : null,
  };
}
