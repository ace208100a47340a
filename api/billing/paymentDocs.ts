import { z } from 'zod';
import { EVENT_TYPES } from '../../providers/payments/paymentFacts.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { CardBody, CheckoutBody } from './billingSchema.ts';

export const CheckoutSession = z.object({
  url: z.string().describe('The page where it is paid.'),
  session_id: z.string(),
  amount: z.number().describe('In US dollars.'),
});

export const CardSession = CheckoutSession.omit({ amount: true });

export const WebhookAnswer = z.object({
  received: z.literal(true),
  outcome: z
    .enum(['credited', 'noted', 'repeated', 'ignored', 'unknown', 'mismatch'])
    .describe('What came of the event. `unknown` and `mismatch` credit nothing.'),
});

/** Documentation of payments. */
export const paymentDocs = {
  checkout: {
    tag: 'Billing',
    summary: 'Pay into the balance',
    description:
      'Answers with the address of a payment page. The credit is on the balance when the payment has cleared: with a card at once, with a bank transfer days later. With a test key it is paid at once with test money; amounts that end with .02, .41 or .51 are declined (402 `card_declined`).',
    input: { id: 'CheckoutBody', schema: CheckoutBody, example: { amount: 25 } },
    answer: { id: 'CheckoutSession', schema: CheckoutSession },
    errors: [402, 502, 503],
  },
  card: {
    tag: 'Billing',
    summary: 'Save a card for later payments',
    description:
      'Answers with the address of a page that saves a card for the workspace. With `auto_topup` the card pays by itself when the balance is low: one payment at a time, never above the cap of a month. A card that is declined is asked again after 1, 6, 24 and 72 hours, then no more.',
    input: {
      id: 'CardBody',
      schema: CardBody,
      example: { auto_topup: { threshold_usd: 10, amount_usd: 25, monthly_cap_usd: 100 } },
      isOptional: true,
    },
    answer: { id: 'CardSession', schema: CardSession },
    errors: [409, 502, 503],
  },
  stripeWebhook: {
    tag: 'Billing',
    summary: 'Receive an event of Stripe',
    description: `For Stripe alone, which signs it. Subscribe the endpoint to ${EVENT_TYPES.join(', ')}.`,
    answer: { id: 'WebhookAnswer', schema: WebhookAnswer },
    errors: [400, 413, 415, 503],
  },
} satisfies Record<string, RouteDoc>;
