import { z } from 'zod';
import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import { pricingOf } from '../../db/agents/pricing.ts';
import type { Pricing, MeterId } from '../../db/entities/agentJson.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { findExampleRun } from '../../db/publishing/exampleRun.ts';
import { findPublisherAgent } from '../../db/publishing/publisherAgents.ts';
import { costOf, type ThousandthsByMeter } from '../../db/runs/cost/runCost.ts';
import { readTerms } from '../../orders/price.ts';
import { AgentAnswer, MeterName } from '../agents/agentAnswers.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import type { Services } from '../services.ts';
import { agentNotFound, incompleteConfiguration } from './errors.ts';
import { soldPrices } from './publisherSchema.ts';

const QUANTITY_MAX = 1_000_000_000;
const THOUSANDTHS = 1_000;

/** What a run uses that nothing is known of. */
const ASSUMED: Partial<Record<MeterId, number>> = {
  model_input_tokens: 4_000,
  model_output_tokens: 800,
  tool_calls: 2,
};

const quantities = z.partialRecord(MeterName, z.number().min(0).max(QUANTITY_MAX));

export const EstimateBody = z.strictObject({
  pricing: soldPrices.optional().describe('Those of the draft when left out.'),
  model: z.string().max(200).nullable().optional().describe('That of the draft when left out.'),
  quantities: quantities
    .optional()
    .describe('What the run uses, by meter. When left out: what the newest completed run in this workspace used.'),
});

const usd = z.number().describe('US dollars.');

const EstimateAnswer = z.object({
  object: z.literal('publisher.estimate'),
  based_on: z
    .enum(['sent', 'run', 'assumed'])
    .describe('Where the quantities are from. `assumed`: no run has completed in this workspace yet.'),
  run_id: z.string().nullable().describe('The run that used them.'),
  quantities,
  lines: z.array(
    z.object({
      meter: z.string().describe('A meter, or `minimum_cost`: what raises a run to its minimum.'),
      unit: z.string(),
      quantity: z.number(),
      price_usd: usd,
      cost_usd: usd,
    }),
  ),
  subtotal_usd: usd,
  network_fee_usd: usd,
  total_usd: usd.describe('What the caller pays. US dollars.'),
  platform_cost_usd: usd.describe('Of the subtotal, what model and sandbox cost. US dollars.'),
  subsidy_usd: usd,
  earned_usd: usd.describe('What its publisher earns: the subtotal and the subsidy without the platform’s cost.'),
  pricing: AgentAnswer.shape.pricing.omit({ id: true }),
});

export const estimateDoc = {
  tag: 'Publishing',
  summary: 'Estimate what a run costs and earns',
  description:
    'Prices a run of the draft as its bill would: the meters, the network fee, the minimum and the maximum. A maximum of 0 is not set yet, ' +
    'and limits nothing. Stores nothing.',
  input: {
    id: 'EstimateOrder',
    schema: EstimateBody,
    example: { quantities: { model_input_tokens: 4_000, model_output_tokens: 800 } },
  },
  answer: { id: 'PublisherEstimate', schema: EstimateAnswer },
  errors: [404],
} satisfies RouteDoc;

/** `POST /v1/publisher/agents/{agent_id}/estimate`: what a run of the draft costs its caller, and earns its publisher. */
export function estimateRun(services: Services): Handler<z.output<typeof EstimateBody>> {
  return async (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const { workspaceId } = ctx.state.key;
    const rows = services.db.read(workspaceId);
    const agent = await findPublisherAgent(rows, agentId);
    if (!agent) throw agentNotFound(agentId);
    const { pricing = soldPricesOf(agent.draft), model = agent.draft.model, quantities: sent } = ctx.state.input;
    const run = sent === undefined ? await findExampleRun(rows, agentId) : undefined;
    const meters = run ? thousandthsIn(run.meters) : thousandthsOf(sent ?? ASSUMED);
    const terms = (await readTerms(services, workspaceId))({ model });
    const order = { versionId: '', configuration: { pricing }, subsidised: agent.subsidisedAt !== null };
    ctx.body = {
      object: 'publisher.estimate',
      based_on: sent ? 'sent' : run ? 'run' : 'assumed',
      run_id: run?.id ?? null,
      ...answerOf(meters, pricingOf(order, terms)),
    } satisfies z.infer<typeof EstimateAnswer>;
  };
}

/** A draft’s prices, which may be unfinished. Throws 422 for prices that nothing can be sold at. */
function soldPricesOf({ pricing }: Pick<AgentConfiguration, 'pricing'>): AgentConfiguration['pricing'] {
  const parsed = soldPrices.safeParse(pricing);
  if (parsed.success) return parsed.data;
  const findings = parsed.error.issues.map(({ path, message }) => ({
    severity: 'blocking' as const,
    code: 'invalid',
    path: ['', 'pricing', ...path.map(String)].join('/'),
    message,
  }));
  throw incompleteConfiguration(findings);
}

function answerOf(meters: ThousandthsByMeter, card: ReturnType<typeof pricingOf>) {
  const cost = pricedOf(meters, card);
  const { id: _id, ...pricing } = card;
  return {
    quantities: Object.fromEntries(Object.entries(meters).map(([meter, count]) => [meter, count / THOUSANDTHS])),
    lines: cost.lines.map(({ meter, unit, quantityThousandths, priceUsd, costNanos }) => ({
      meter,
      unit,
      quantity: Number(quantityThousandths) / THOUSANDTHS,
      price_usd: priceUsd,
      cost_usd: usdOf(costNanos),
    })),
    subtotal_usd: usdOf(cost.subtotalNanos),
    network_fee_usd: usdOf(cost.networkFeeNanos),
    total_usd: usdOf(cost.totalNanos),
    platform_cost_usd: usdOf(cost.platformCostNanos),
    subsidy_usd: usdOf(cost.subsidyNanos),
    earned_usd: usdOf(cost.subtotalNanos + cost.subsidyNanos - cost.platformCostNanos),
    pricing,
  };
}

/** The cost of a completed run: never more than its maximum, as if its caller had set no limit. */
function pricedOf(meters: ThousandthsByMeter, card: Pricing) {
  const { minimum_cost_usd: minimumUsd, maximum_cost_usd: maximumUsd } = card;
  const capUsd = maximumUsd > 0 ? maximumUsd : UNBOUNDED_USD;
  const minimumNanos = nanosOfUsd(Math.min(minimumUsd, capUsd));
  return costOf({ rate_card: card, meters, held_nanos: `${nanosOfUsd(capUsd)}` }, { minimumNanos });
}

const UNBOUNDED_USD = 1_000_000;

const thousandthsOf = (used: Partial<Record<string, number>>): ThousandthsByMeter =>
  Object.fromEntries(Object.entries(used).map(([meter, count = 0]) => [meter, Math.round(count * THOUSANDTHS)]));

const thousandthsIn = (meters: Record<string, number | string>): ThousandthsByMeter =>
  Object.fromEntries(Object.entries(meters).map(([meter, count]) => [meter, Number(count)]));
