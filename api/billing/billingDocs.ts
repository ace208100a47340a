import { type RouteDoc, pageOf } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import {
  AutoTopupChangeBody,
  StatementQuery,
  TopupQuery,
  LedgerQuery,
  LedgerTotalsQuery,
  CardBody,
  CheckoutBody,
  RootsQuery,
} from './billingSchema.ts';
import {
  AccountStatementAnswer,
  AutoTopupAnswer,
  TopupAnswer,
  Balance,
  LedgerEntry,
  LedgerTotals,
  CardSession,
  CheckoutSession,
  WebhookAnswer,
  PublishedKeys,
  PublishedRoot,
  ReceiptAnswer,
} from './billingAnswers.ts';
import { EVENT_TYPES } from '../../providers/payments/paymentFacts.ts';
import { z } from 'zod';

const TAG = 'Billing';

/** Documentation of statements, payments and the automatic top-up. */
export const statementDocs = {
  statement: {
    tag: TAG,
    summary: 'Read the statement of a month',
    description:
      'How the balance moved in a month (UTC), and the spend by product: exact, as the ledger has it. As JSON, ' +
      'CSV or PDF; or as lines of JSON with every entry, the hashes and the signed roots, which ' +
      '`statements.verify` of the clients checks offline.',
    query: StatementQuery,
    answer: { id: 'AccountStatement', schema: AccountStatementAnswer },
    alsoAs: ['text/csv', 'application/pdf', 'application/jsonl'],
    answerHeaders: { ...headers.NAMED },
  },
  topups: {
    tag: TAG,
    summary: 'List payments into the balance',
    description: 'Newest first, with what was refunded or disputed of each, and its receipt.',
    query: TopupQuery,
    answer: { id: 'TopupPage', schema: pageOf(TopupAnswer) },
  },
  retrieveAutoTopup: {
    tag: TAG,
    summary: 'Read the automatic top-up',
    answer: { id: 'AutoTopup', schema: AutoTopupAnswer },
  },
  changeAutoTopup: {
    tag: TAG,
    summary: 'Change or stop the automatic top-up',
    description:
      'Changes what is sent; `enabled: false` stops it. Earlier declines are forgotten. 409 `no_card` before a ' +
      'card is saved: `POST /platform/v1/billing/card`. Where tax is added, 409 `billing_details_required` before the ' +
      'billing details have a country.',
    input: {
      id: 'AutoTopupChange',
      schema: AutoTopupChangeBody,
      example: { enabled: true, threshold_usd: 10, amount_usd: 25, monthly_cap_usd: 100 },
    },
    answer: { id: 'AutoTopup', schema: AutoTopupAnswer },
    errors: [409],
  },
} satisfies Record<string, RouteDoc>;

const LedgerPage = pageOf(LedgerEntry);

/** Documentation of the balance and the ledger. */
export const balanceDocs = {
  retrieveBalance: {
    tag: 'Billing',
    summary: 'Read the balance',
    answer: { id: 'Balance', schema: Balance },
  },
  listLedger: {
    tag: 'Billing',
    summary: 'List the entries of the ledger',
    description:
      'Newest first. Send `next_cursor` as `cursor` for the next page. `format=csv` has them all in one file.',
    query: LedgerQuery,
    answer: { id: 'LedgerPage', schema: LedgerPage },
    alsoAs: ['text/csv'],
    answerHeaders: { ...headers.NAMED },
  },
  ledgerTotals: {
    tag: 'Billing',
    summary: 'Count the entries of the ledger, and sum them up',
    description: 'Of the same entries as the list has with the same filters.',
    query: LedgerTotalsQuery,
    answer: { id: 'LedgerTotals', schema: LedgerTotals },
  },
} satisfies Record<string, RouteDoc>;

/** Documentation of payments. */
export const paymentDocs = {
  checkout: {
    tag: 'Billing',
    summary: 'Pay into the balance',
    description:
      'Answers with the address of a payment page. The credit is on the balance when the payment has cleared: ' +
      'with a card at once, with a bank transfer days later. With a test key it is paid at once with test ' +
      'money; amounts that end with .02, .41 or .51 are declined (402 `card_declined`). Where the installation adds ' +
      'tax, the page asks for the address and the tax number, and the balance gets the amount without the tax.',
    headers: headers.ONCE,
    input: { id: 'CheckoutBody', schema: CheckoutBody, example: { amount: 25 } },
    answer: { id: 'CheckoutSession', schema: CheckoutSession },
    errors: [402, 502, 503],
  },
  card: {
    tag: 'Billing',
    summary: 'Save a card for later payments',
    description:
      'Answers with the address of a page that saves a card for the workspace. With `auto_topup` the card pays ' +
      'by itself when the balance is low: one payment at a time, never above the cap of a month. It is set when the ' +
      'card is saved; until then nothing changes. A card that is declined is asked again after 1, 6, 24 and 72 hours, ' +
      'then no more.',
    headers: headers.ONCE,
    input: {
      id: 'CardBody',
      schema: CardBody,
      example: { auto_topup: { threshold_usd: 10, amount_usd: 25, monthly_cap_usd: 100 } },
      isOptional: true,
    },
    answer: { id: 'CardSession', schema: CardSession },
    errors: [502, 503],
  },
  stripeWebhook: {
    tag: 'Billing',
    summary: 'Receive an event of Stripe',
    description: `For Stripe alone, which signs it. Subscribe the endpoint to ${EVENT_TYPES.join(', ')}.`,
    answer: { id: 'WebhookAnswer', schema: WebhookAnswer },
    errors: [400, 413, 415, 503],
  },
} satisfies Record<string, RouteDoc>;

export const receiptDoc = {
  tag: TAG,
  summary: 'Prove what something cost',
  description:
    'Takes the id of a request (`req_…`), of an answer (`chatcmpl-…`, `cmpl-…`, `resp_…`), of a run, or of ' +
    'an entry of the ledger (`le_…`). Each entry comes with the proof that it is in the ledger’s signed root ' +
    'of its day, which is due five minutes after midnight (UTC). `receipts.verify` of the ' +
    'clients checks it offline.',
  answer: { id: 'Receipt', schema: ReceiptAnswer },
} satisfies RouteDoc;

/** Documentation of the published data for checking bills. */
export const publishedDocs = {
  keys: {
    tag: TAG,
    summary: 'Read the keys that sign the ledger',
    description: 'A JWK set. Replaced keys stay, with the time in which they signed. No key is needed.',
    answer: { id: 'BillKeys', schema: PublishedKeys },
  },
  roots: {
    tag: TAG,
    summary: 'List the signed roots of the ledger',
    description: 'One for each day (UTC), the newest first; each has the hash of the one before. No key is needed.',
    query: RootsQuery,
    answer: { id: 'BillRoots', schema: z.object({ roots: z.array(PublishedRoot), has_more: z.boolean() }) },
  },
  root: {
    tag: TAG,
    summary: 'Read the signed root of a day',
    description: 'It never changes. No key is needed.',
    answer: { id: 'BillRoot', schema: PublishedRoot },
  },
} satisfies Record<string, RouteDoc>;
