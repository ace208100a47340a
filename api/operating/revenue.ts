import type { z } from 'zod';
import {
  readRevenue,
  type RevenueDayFigures,
  type RevenueFigures,
  type RevenueLine,
} from '../../db/accounting/revenue.ts';
import type { CostOf } from '../../db/catalog/costRanks.ts';
import { readUpstreamCosts } from '../../db/liveCatalog/upstreamCosts.ts';
import { usdOf } from '../../db/money.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import type { Revenue } from './platformAnswers.ts';
import type { RevenueQuery } from './platformDocs.ts';

type Answer = z.infer<typeof Revenue>;

const MODELS_MAX = 100;

/** `GET /console/v1/platform/revenue`: what the platform earns, beside the days before. */
export function retrieveRevenue({ db }: Services): Handler<z.output<typeof RevenueQuery>> {
  return async (ctx) => {
    await db.ledger.posted();
    const costOf = await readCosts(db);
    const { days, daysBefore, lines } = await readRevenue(db.everywhere, { ...ctx.state.input, costOf });
    const models = modelsOf(lines);
    const rest = models.slice(MODELS_MAX);
    ctx.body = {
      object: 'revenue',
      days: days.map(presentDay),
      days_before: daysBefore.map(presentDay),
      total: { ...presentMoney(sumOf(days)), ...presentCosts(lines) },
      total_before: presentMoney(sumOf(daysBefore)),
      products: productsOf(lines),
      models: models.slice(0, MODELS_MAX).map(presentModel),
      others: { models: rest.length, charged_usd: usdOf(sum(rest.flat(), ({ chargedNanos }) => chargedNanos)) },
    } satisfies Answer;
  };
}

/** What upstreams charge at present, as operators state it. */
async function readCosts({ everywhere }: Services['db']): Promise<CostOf> {
  const costs = await readUpstreamCosts(everywhere);
  const rates = new Map(costs.map((cost) => [`${cost.model} ${cost.upstream}`, cost.rates]));
  return (model, upstream) => rates.get(`${model} ${upstream}`);
}

const sum = <T>(rows: readonly T[], of: (row: T) => bigint): bigint => rows.reduce((all, row) => all + of(row), 0n);

const sumOf = (days: RevenueFigures[]): RevenueFigures => ({
  chargedNanos: sum(days, (day) => day.chargedNanos),
  topupsNanos: sum(days, (day) => day.topupsNanos),
  takenBackNanos: sum(days, (day) => day.takenBackNanos),
  writtenOffNanos: sum(days, (day) => day.writtenOffNanos),
  payoutsNanos: sum(days, (day) => day.payoutsNanos),
});

const presentMoney = (figures: RevenueFigures) => ({
  charged_usd: usdOf(figures.chargedNanos),
  topups_usd: usdOf(figures.topupsNanos),
  taken_back_usd: usdOf(figures.takenBackNanos),
  written_off_usd: usdOf(figures.writtenOffNanos),
  payouts_usd: usdOf(figures.payoutsNanos),
});

const presentDay = (day: RevenueDayFigures) => ({ day: day.day, ...presentMoney(day) });

/** Cost and margin of the lines with a stated cost, and what was charged for the others. */
function presentCosts(lines: RevenueLine[]) {
  const costed = lines.filter(({ costNanos }) => costNanos !== null);
  const costNanos = sum(costed, (line) => line.costNanos!);
  const uncosted = lines.filter((line) => line.costNanos === null);
  const isStated = costed.length > 0;
  return {
    cost_usd: isStated ? usdOf(costNanos) : null,
    margin_usd: isStated ? usdOf(sum(costed, ({ chargedNanos }) => chargedNanos) - costNanos) : null,
    uncosted_usd: usdOf(sum(uncosted, ({ chargedNanos }) => chargedNanos)),
  };
}

function productsOf(lines: RevenueLine[]): Answer['products'] {
  const products = [...Map.groupBy(lines, ({ product }) => product)];
  return products
    .map(([product, own]) => ({
      product,
      calls: own.reduce((calls, line) => calls + line.calls, 0),
      charged_usd: usdOf(sum(own, ({ chargedNanos }) => chargedNanos)),
      charged_before_usd: usdOf(sum(own, ({ chargedBeforeNanos }) => chargedBeforeNanos)),
    }))
    .toSorted((one, other) => other.charged_usd - one.charged_usd || (one.product < other.product ? -1 : 1));
}

/** The lines of each model of a product, the one that earned most first. */
function modelsOf(lines: RevenueLine[]): RevenueLine[][] {
  const earned = (own: RevenueLine[]) => Number(sum(own, ({ chargedNanos }) => chargedNanos));
  const keyOf = ({ product, model }: RevenueLine) => `${product} ${model}`;
  return [...Map.groupBy(lines, keyOf)]
    .map(([key, own]) => ({ key, own, earned: earned(own) }))
    .toSorted((one, other) => other.earned - one.earned || (one.key < other.key ? -1 : 1))
    .map(({ own }) => own);
}

function presentModel(lines: RevenueLine[]): Answer['models'][number] {
  const { product, model } = lines[0]!;
  return {
    product,
    model,
    calls: lines.reduce((calls, line) => calls + line.calls, 0),
    charged_usd: usdOf(sum(lines, ({ chargedNanos }) => chargedNanos)),
    charged_before_usd: usdOf(sum(lines, ({ chargedBeforeNanos }) => chargedBeforeNanos)),
    written_off_usd: usdOf(sum(lines, ({ writtenOffNanos }) => writtenOffNanos)),
    ...presentCosts(lines),
    upstreams: lines
      .toSorted((one, other) => Number(other.chargedNanos - one.chargedNanos))
      .map(({ upstream, calls, chargedNanos, costNanos }) => ({
        upstream: upstream || null,
        calls,
        charged_usd: usdOf(chargedNanos),
        cost_usd: costNanos === null ? null : usdOf(costNanos),
        margin_usd: costNanos === null ? null : usdOf(chargedNanos - costNanos),
      })),
  };
}
