import type Stripe from 'stripe';
import type { Database } from '../../db/database.ts';
import type { PaymentFact } from '../../db/payments/facts.ts';
import { readUnfinished } from '../../db/payments/unfinished.ts';
import { recordUncredited } from '../../db/payments/topups.ts';
import { applyFacts, applySavedCard } from './applyEvent.ts';
import { findIntent } from './autoTopup.ts';
import { factsOfDispute, factsOfIntent, factsOfRefund, factsOfSession, idOf } from './paymentFacts.ts';
import { isMissing, type Payments } from './stripe.ts';

/** The number of objects a reconciliation read, and of payments without an event. */
export interface Reconciliation {
  read: number;
  credited: number;
}

/** A listed object whose payment was not credited: an operator has to look at it. */
export interface Uncredited {
  id: string;
  type: string;
  outcome: 'unknown' | 'mismatch';
}

interface Reconciling {
  since: Date;
  onProgress: (read: number) => void;
  /** Called once for each object, however often it is listed. */
  onUncredited?: (uncredited: Uncredited) => void;
}

const PAGE_SIZE = 100;

/**
 * Reads Stripe's lists since a given time, and older objects that were not finished, and applies facts from missed events. An object states
 * the same facts as its events, so known facts change nothing. `onProgress` is called for each object.
 */
export async function reconcilePayments(
  db: Pick<Database, 'pool' | 'everywhere'>,
  payments: Payments,
  { since, onProgress, onUncredited = () => {} }: Reconciling,
): Promise<Reconciliation> {
  const stripe = await payments.open();
  const listed = { created: { gte: Math.floor(since.getTime() / 1000) }, limit: PAGE_SIZE };
  const now = new Date();
  const result: Reconciliation = { read: 0, credited: 0 };
  const note = (): void => {
    result.read += 1;
    onProgress(result.read);
  };
  const apply = async ({ id, object: type }: { id: string; object: string }, facts: PaymentFact[]): Promise<void> => {
    const outcome = await applyFacts(db, facts);
    if (outcome === 'credited') result.credited += 1;
    if (outcome === 'unknown' || outcome === 'mismatch') {
      const isNew = await recordUncredited(db.pool, { id, type, livemode: payments.isLive, outcome });
      if (isNew) onUncredited({ id, type, outcome });
    }
    note();
  };
  for await (const session of stripe.checkout.sessions.list(listed)) await apply(session, factsOfSession(session));
  for await (const intent of stripe.paymentIntents.list(listed)) await apply(intent, factsOfIntent(intent));
  for await (const refund of stripe.refunds.list(listed)) await apply(refund, factsOfRefund(refund, now));
  for await (const dispute of stripe.disputes.list(listed)) await apply(dispute, factsOfDispute(dispute, now));
  for await (const saved of stripe.setupIntents.list(listed)) {
    if (saved.status === 'succeeded') await applySavedCard(db, saved);
    note();
  }
  const unfinished = await readUnfinished(db.pool, { livemode: payments.isLive });
  for (const id of unfinished.sessions) for (const one of await sessionOf(stripe, id)) await apply(one, one.facts);
  for (const order of unfinished.orders) {
    const intent = await known(findIntent(stripe, order));
    if (intent) await apply(intent, factsOfIntent(intent));
  }
  for (const id of unfinished.refunds) {
    const refund = await known(stripe.refunds.retrieve(id));
    if (refund) await apply(refund, factsOfRefund(refund, now));
  }
  for (const id of unfinished.disputes) {
    const dispute = await known(stripe.disputes.retrieve(id));
    if (dispute) await apply(dispute, factsOfDispute(dispute, now));
  }
  return result;
}

/** A payment page, and its payment, which says whether it has failed. */
async function sessionOf(stripe: Stripe, id: string): Promise<{ id: string; object: string; facts: PaymentFact[] }[]> {
  const session = await known(stripe.checkout.sessions.retrieve(id));
  const intentId = session && idOf(session.payment_intent);
  const intent = intentId && (await known(stripe.paymentIntents.retrieve(intentId)));
  return [
    ...(session ? [{ id, object: session.object, facts: factsOfSession(session) }] : []),
    ...(intent ? [{ id: intent.id, object: intent.object, facts: factsOfIntent(intent) }] : []),
  ];
}

/** Undefined for an object of another account of Stripe. */
async function known<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
