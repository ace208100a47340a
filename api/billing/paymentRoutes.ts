import { body, optionalBody } from '../body/body.ts';
import { parseBody, parseWith, query } from '../body/parseWith.ts';
import { idempotent } from '../guard/idempotency.ts';
import type { Keyed } from '../guard/key.ts';
import { wholeWorkspace } from '../guard/projects.ts';
import { get, patch, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { createCheckout, saveCard, showPaymentCancelled, showPaymentDone } from './checkout.ts';
import { statementDocs, paymentDocs, receiptDoc } from './billingDocs.ts';
import { retrieveReceipt } from './receipts.ts';
import { retrieveAccountStatement } from './statement.ts';
import { StatementQuery, AutoTopupChangeBody, TopupQuery, CardBody, CheckoutBody } from './billingSchema.ts';
import { receiveStripeEvent } from './stripeWebhook.ts';
import { changeAutoTopup, listPayments, retrieveAutoTopup } from './topups.ts';

/** Routes and documentation of payments into the balance. Stripe's events carry a signature instead of a key. */
export function paymentRoutes(services: Services, keyed: Keyed): Route[] {
  const once = idempotent(services.db, 'top');
  const checkout = keyed(wholeWorkspace, body(parseWith(CheckoutBody, 'body')), once);
  const card = keyed(wholeWorkspace, optionalBody(parseBody(CardBody)), once);
  const change = keyed(wholeWorkspace, body(parseBody(AutoTopupChangeBody)));
  const at = '/platform/v1/billing';
  return [
    post(`${at}/checkout`, checkout, createCheckout(services), paymentDocs.checkout),
    post(`${at}/card`, card, saveCard(services), paymentDocs.card),
    post(`${at}/stripe/webhook`, [], receiveStripeEvent(services), paymentDocs.stripeWebhook),
    get(
      `${at}/statement`,
      keyed(wholeWorkspace, query(StatementQuery)),
      retrieveAccountStatement(services),
      statementDocs.statement,
    ),
    get('/platform/v1/receipts/:request_id', keyed(), retrieveReceipt(services), receiptDoc),
    get(`${at}/topups`, keyed(wholeWorkspace, query(TopupQuery)), listPayments(services), statementDocs.topups),
    get(`${at}/auto_topup`, keyed(wholeWorkspace), retrieveAutoTopup(services), statementDocs.retrieveAutoTopup),
    patch(`${at}/auto_topup`, change, changeAutoTopup(services), statementDocs.changeAutoTopup),
    get('/billing/done', [], showPaymentDone),
    get('/billing/cancelled', [], showPaymentCancelled),
  ];
}
