import type Stripe from 'stripe';
import type { Database } from '../../db/database.ts';
import { removeCard, saveCard } from '../../db/payments/customers.ts';
import type { FactOutcome, PaymentFact } from '../../db/payments/facts.ts';
import { applyFact } from '../../db/payments/topups.ts';
import { readEvent } from './eventShape.ts';
import { orderedIn } from './orderedTopup.ts';
import { factsOf, idOf } from './paymentFacts.ts';

/** The result of an event: `ignored` when it does not concern this platform's payments. */
export type EventOutcome = FactOutcome | 'ignored';

// When an event has several facts, the first matching result in this list counts.
const BY_WEIGHT: EventOutcome[] = ['mismatch', 'unknown', 'credited', 'noted', 'repeated', 'ignored'];

type PaymentDatabase = Pick<Database, 'pool' | 'everywhere'>;

/** Applies a signed Stripe body, each fact of its event in its own transaction. Idempotent. */
export async function applyEvent(db: PaymentDatabase, body: unknown): Promise<EventOutcome> {
  const event = readEvent(body);
  if (typeof event === 'string') return event;
  if (event.type === 'setup_intent.succeeded') return applySavedCard(db, event.data.object, event.created);
  if (event.type === 'customer.deleted' || event.type === 'payment_method.detached') return applyRemovedCard(db, event);
  return applyFacts(db, factsOf(event));
}

/** The same for facts that were read from Stripe's lists. */
export async function applyFacts(db: PaymentDatabase, facts: PaymentFact[]): Promise<EventOutcome> {
  const outcomes: EventOutcome[] = ['ignored'];
  for (const fact of facts) outcomes.push(outcomeOf(fact, await applyFact(db, fact)));
  return BY_WEIGHT.find((outcome) => outcomes.includes(outcome))!;
}

// A charge for another product of the same Stripe account has a receipt too.
const outcomeOf = ({ type }: PaymentFact, outcome: FactOutcome): EventOutcome =>
  type === 'receipt' && outcome === 'unknown' ? 'ignored' : outcome;

/** Applies a card that was saved at this time, in seconds. A listed one says when its saving began: a card that was saved later stays. */
export async function applySavedCard(
  { everywhere }: Pick<PaymentDatabase, 'everywhere'>,
  { customer, payment_method: method, created, metadata }: Stripe.SetupIntent,
  seconds = created,
): Promise<EventOutcome> {
  const [customerId, paymentMethodId] = [idOf(customer), idOf(method)];
  if (customerId === undefined || paymentMethodId === undefined) return 'ignored';
  const saved = { paymentMethodId, savedAt: new Date(seconds * 1000), ordered: orderedIn(metadata) };
  return (await saveCard(everywhere, customerId, saved)) ?? 'ignored';
}

async function applyRemovedCard(
  { everywhere }: Pick<PaymentDatabase, 'everywhere'>,
  { type, created, data }: Stripe.CustomerDeletedEvent | Stripe.PaymentMethodDetachedEvent,
): Promise<EventOutcome> {
  const { id } = data.object;
  const removed =
    type === 'customer.deleted'
      ? { customerId: id, reason: 'The customer was deleted at Stripe, and its card with it.' }
      : { paymentMethodId: id, reason: 'The card was removed at Stripe.' };
  return (await removeCard(everywhere, { ...removed, removedAt: new Date(created * 1000) })) ?? 'ignored';
}
