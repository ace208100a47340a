import { expect } from '@jest/globals';
import { Stripe } from 'stripe';
import { createTopup, setSession } from '../../../db/payments/topups.ts';
import type { Database } from '../../../db/database.ts';
import { applyEvent } from '../../../providers/payments/applyEvent.ts';
import { NANOS_PER_CENT } from '../../../db/money.ts';
import { createPayments, eventOf } from '../../../rules/payments/payments.ts';
import { Store, type StripeObject } from '../../../rules/payments/store.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { USD } from './paymentStage.ts';

const ACTIONS_MAX = 6;
const REPEATS_MAX = 5;
const DAYS_LATE_MAX = 3;

/**
 * One payment with a random history, whose events arrive in a random order, each one to five times: the balance must then equal the
 * payment's result. Returns the number of events.
 */
export async function playShuffle(db: Database, random: () => number): Promise<number> {
  const account = await makeAccount(db, { balanceNanos: 0n });
  const cents = 500 + Math.floor(random() * 99_500);
  const { store, session, events } = await playHistory(db, { workspaceId: account.workspaceId, cents, random });
  const arriving = shuffled(
    events.flatMap((event) => Array(1 + Math.floor(random() * REPEATS_MAX)).fill(event)),
    random,
  );
  for (const event of arriving) await applyEvent(db, event as Stripe.Event);
  const expected = expectedNanos(store, session);
  const seen = { balance: await balanceOf(db, account.workspaceId), history: events.map(({ type }) => type) };
  expect(seen).toEqual({ balance: expected, history: seen.history });
  return arriving.length;
}

async function playHistory(
  db: Database,
  { workspaceId, cents, random }: { workspaceId: string; cents: number; random: () => number },
) {
  const events: Stripe.Event[] = [];
  const store = new Store();
  let seconds = Math.floor(Date.now() / 1000);
  const payments = createPayments(
    store,
    (type, object) => {
      // Each event of a payment has a different second, up to three days later.
      seconds += 1 + Math.floor((random() * DAYS_LATE_MAX * 86_400) / ACTIONS_MAX);
      const event = eventOf(type, object, Stripe.API_VERSION, `evt_${store.list('event').length}`);
      events.push({ ...event, created: seconds } as unknown as Stripe.Event);
    },
    (id) => `https://receipts.example/${id}`,
  );
  const amountNanos = BigInt(cents) * NANOS_PER_CENT;
  const order = { workspaceId, origin: 'checkout', amountNanos, livemode: false, requestId: null } as const;
  const topupId = await createTopup(db.pool, order);
  const metadata = { topup_id: topupId, workspace_id: workspaceId };
  const session = store.create('checkout.session', 'cs_test', {
    mode: 'payment',
    status: 'open',
    payment_status: 'unpaid',
    amount_total: cents,
    currency: 'usd',
    client_reference_id: workspaceId,
    metadata,
    payment_intent: null,
    payment_intent_data: { metadata },
  });
  await setSession(db.pool, topupId, session.id);
  for (let step = 0; step < ACTIONS_MAX; step += 1) {
    const possible = payments.actionsOf(session);
    const action = possible[Math.floor(random() * possible.length)];
    if (action === undefined) break;
    payments.act(session, action, 1 + Math.floor(random() * cents));
  }
  return { store, session, events };
}

/** The payment's result: paid, minus refunds that did not fail and disputes that were not won. */
function expectedNanos(store: Store, session: StripeObject): bigint {
  const intent = store.find('payment_intent', String(session.payment_intent));
  if (intent?.status !== 'succeeded') return 0n;
  const sum = (objects: StripeObject[]) => objects.reduce((total, { amount }) => total + Number(amount), 0);
  const refunded = sum(store.list('refund', ({ status }) => status !== 'failed'));
  const disputed = sum(store.list('dispute', ({ status }) => status !== 'won'));
  return (BigInt(Number(intent.amount) - refunded - disputed) * USD) / 100n;
}

function shuffled<T>(values: T[], random: () => number): T[] {
  return values
    .map((value) => [random(), value] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, value]) => value);
}
