import { z } from 'zod';
import { newId } from '../../db/ids.ts';
import { usdOf } from '../../db/money.ts';
import { findUpcoming } from '../../db/agents/channels.ts';
import { createQuote, estimateCost, QUOTE_MINUTES } from '../../db/runs/cost/quotes.ts';
import { AgentAnswer, UpcomingVersion } from '../agents/agentAnswers.ts';
import { upcomingOf } from '../agents/publicAgents.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { checkInput } from '../../orders/input.ts';
import type { Order } from '../../orders/order.ts';
import { maxCostOf, priceOf, readTerms } from '../../orders/price.ts';
import { answering, findAgent } from './createRun.ts';

const usd = z.number().describe('US dollars.');

/** The answer of a quote. */
export const RunQuote = z.object({
  id: z.string().describe(`Send it as \`quote_id\` to run at this price, within ${QUOTE_MINUTES} minutes.`),
  object: z.literal('run.quote'),
  agent: z.string(),
  version: z.string(),
  version_id: z.string(),
  p50_usd: usd.nullable().describe('Half of the runs cost at most this. Null while there are too few runs.'),
  p90_usd: usd.nullable().describe('Nine of ten runs cost at most this. Null while there are too few runs.'),
  max_usd: usd.describe('The run costs at most this: the `max_cost_usd` that was sent, or the agent’s maximum.'),
  sample_size: z.int().describe('How many runs the estimate is made of.'),
  based_on: z
    .enum(['version', 'other_versions', 'rate_card'])
    .describe(
      '`version`: what runs of this version consumed, at this price. `other_versions`: the same of the agent’s ' +
        'other versions. `rate_card`: there are too few runs, so all that is known is `price` and `max_usd`.',
    ),
  price: AgentAnswer.shape.pricing,
  upcoming_version: UpcomingVersion.describe(
    'A more expensive version that orders of the same name get at this time. Null for an order that names a version.',
  ),
  expires_at: z.iso.datetime(),
});

/** `POST /v1/runs/quote`: the probable cost of an order, and its price list, which is valid for some minutes. Starts nothing. */
export function quoteRun(services: Services): Handler<Order> {
  const { db } = services;
  return async (ctx) => {
    const order = ctx.state.input;
    const { workspaceId } = ctx.state.key;
    const agent = await findAgent(ctx, services, order);
    const termsOf = await readTerms(services, workspaceId);
    const { pricing } = await priceOf(services, { workspaceId, agent, terms: termsOf });
    const maxCostNanos = await answering(async () => {
      const most = maxCostOf(order, pricing);
      await checkInput(services, { by: ctx.state.key, order, agent });
      return most;
    });
    const maxUsd = usdOf(maxCostNanos);
    const estimate = await estimateCost(db.everywhere, { workspaceId, agent, pricing, maxUsd });
    const upcoming = order.visibility === 'public' ? await findUpcoming(db.everywhere, agent.agentId, order) : null;
    const id = newId('quote');
    const { versionId } = agent;
    const { visibility } = order;
    const kept = { id, workspaceId, agent: agent.agent, versionId, visibility, rateCard: pricing };
    const expiresAt = await createQuote(db.everywhere, kept);
    ctx.body = {
      id,
      object: 'run.quote',
      agent: agent.agent,
      version: agent.version,
      version_id: versionId,
      p50_usd: estimate.p50Usd,
      p90_usd: estimate.p90Usd,
      max_usd: maxUsd,
      sample_size: estimate.sampleSize,
      based_on: estimate.basedOn,
      // Current price lists have every member.
      price: pricing as z.infer<typeof RunQuote>['price'],
      upcoming_version: upcomingOf({ upcoming, subsidised: agent.subsidised }, termsOf),
      expires_at: expiresAt.toISOString(),
    } satisfies z.infer<typeof RunQuote>;
  };
}
