import { body, optionalBody } from '../body/body.ts';
import { parseBody, parseWith } from '../body/parseWith.ts';
import type { Keyed } from '../guard/key.ts';
import { get, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { CardBody, CheckoutBody, createCheckout, saveCard, showPaymentDone } from './checkout.ts';
import { paymentDocs } from './paymentDocs.ts';
import { receiveStripeEvent } from './stripeWebhook.ts';

/** Payments into the balance: a line for each URL. Stripe's events carry a signature in the place of a key. */
export function paymentRoutes(services: Services, keyed: Keyed): Route[] {
  const about = paymentDocs({ checkout: CheckoutBody, card: CardBody });
  const checkout = keyed(body(parseWith(CheckoutBody, 'body')));
  return [
    post('/platform/v1/billing/checkout', checkout, createCheckout(services), about.checkout),
    post('/platform/v1/billing/card', keyed(optionalBody(parseBody(CardBody))), saveCard(services), about.card),
    post('/platform/v1/billing/stripe/webhook', [], receiveStripeEvent(services), about.stripeWebhook),
    get('/billing/done', [], showPaymentDone),
  ];
}
