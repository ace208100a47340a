import type Stripe from 'stripe';
import { z } from 'zod';
import { EVENT_TYPES } from './paymentFacts.ts';

// PostgreSQL stores no NUL. Amounts have at most eleven digits, so that their nano-USD fit into 64 bits.
const text = z
  .string()
  .max(5_000)
  .regex(/^[^\0]*$/);
const cents = z.int().min(0).max(99_999_999_999);
const reference = z.union([text, z.looseObject({ id: text })]).nullish();
const metadata = z.record(z.string(), text).nullish();
const [optional, amount, mode] = [text.nullish(), cents.nullish(), z.boolean().nullish()];
const YEAR_9999_SECONDS = 253_370_764_800;

const customer = z
  .looseObject({
    name: optional,
    business_name: optional,
    email: optional,
    tax_exempt: optional,
    address: z
      .looseObject({
        line1: optional,
        line2: optional,
        city: optional,
        state: optional,
        postal_code: optional,
        country: optional,
      })
      .nullish(),
    tax_ids: z.array(z.looseObject({ type: optional, value: optional })).nullish(),
  })
  .nullish();

const reversal = { id: text, amount: cents, currency: text, status: optional, payment_intent: reference };

/** The members read from objects in events, by the beginning of the event's type. All others may have any shape. */
const OBJECTS = {
  'checkout.session.': {
    id: text,
    mode: optional,
    status: optional,
    payment_status: optional,
    client_reference_id: optional,
    currency: optional,
    amount_total: amount,
    total_details: z.looseObject({ amount_tax: amount }).nullish(),
    automatic_tax: z.looseObject({ enabled: z.boolean().nullish() }).nullish(),
    customer_details: customer,
    livemode: mode,
    payment_intent: reference,
    metadata,
  },
  'payment_intent.': {
    id: text,
    status: optional,
    currency: optional,
    amount_received: amount,
    livemode: mode,
    metadata,
    last_payment_error: z.looseObject({ message: optional }).nullish(),
  },
  'charge.dispute.': reversal,
  'charge.': {
    id: text,
    currency: optional,
    amount_refunded: amount,
    payment_intent: reference,
    receipt_url: optional,
    metadata,
  },
  'refund.': reversal,
  'setup_intent.': { customer: reference, payment_method: reference, metadata },
  'payment_method.': { id: text },
  'customer.': { id: text },
} satisfies Record<string, z.ZodRawShape>;

const SHAPES = Object.entries(OBJECTS).map(([begin, members]) => ({
  begin,
  shape: z.looseObject({
    created: z.int().min(0).max(YEAR_9999_SECONDS),
    livemode: z.boolean(),
    data: z.looseObject({ object: z.looseObject(members) }),
  }),
}));

const Handled = z.looseObject({ object: z.literal('event'), type: z.enum(EVENT_TYPES) });

/**
 * A signed body as an event with readable members. `ignored`: an event that is not handled, such as all of Stripe's second API
 * (`v2.core.event`). `mismatch`: a handled event in a shape that Stripe does not document; an operator has to check its money.
 */
export function readEvent(body: unknown): Stripe.Event | 'ignored' | 'mismatch' {
  const handled = Handled.safeParse(body);
  if (!handled.success) return 'ignored';
  const { shape } = SHAPES.find(({ begin }) => handled.data.type.startsWith(begin))!;
  return shape.safeParse(body).success ? (body as Stripe.Event) : 'mismatch';
}

const Head = z.object({ id: text, type: text, livemode: z.boolean().default(false) });

/** The record of any signed body; undefined for a body that is no event. */
export const headOf = (body: unknown): z.output<typeof Head> | undefined => Head.safeParse(body).data;

const Mode = z.looseObject({ object: z.literal('event'), livemode: z.boolean() });

/** Whether an event is about live money; undefined when the body does not say. */
export const livemodeOf = (body: unknown): boolean | undefined => Mode.safeParse(body).data?.livemode;
