import { momentText } from '../../base/dateText.ts';
import { plainPagePolicy, renderPlainPage } from '../../base/plainPage.ts';
import { escapeHtml } from '../../base/web.ts';
import { isOn } from './tax.ts';
import type { Action } from './payments.ts';
import type { StripeObject } from './store.ts';

const LABELS: Record<Action, string> = {
  pay: 'Use the test card 4242',
  save_declining: 'Use the test card 0341, which is declined when it pays later',
  decline: 'Let the card be declined',
  pay_later: 'Pay by bank transfer, which takes a while',
  clear: 'Let the bank transfer arrive',
  bounce: 'Let the bank transfer fail',
  expire: 'Let the page expire',
  refund: 'Refund',
  fail_refund: 'Let the last refund fail',
  dispute: 'Dispute the payment',
  win_dispute: 'Decide the dispute for the seller',
  lose_dispute: 'Decide the dispute for the buyer',
};

const TAX_LABELS = {
  company: 'Name or company',
  line1: 'Address',
  postal_code: 'Postal code',
  city: 'City',
  country: 'Country, as DE (tax is added by it)',
  tax_id: 'Tax number, empty for none',
};

// For the first form of a page that adds tax.
const TAX_FIELDS = Object.entries(TAX_LABELS)
  .map(([name, label]) => {
    const rule = name === 'country' ? ' required pattern="[A-Z]{2}"' : '';
    return `<label>${label}: <input name="${name}"${rule}></label>`;
  })
  .join('');

/** The pages' policy. Their forms may redirect to the platform, because browsers apply that policy to redirects too. */
export function pagePolicyOf({ success_url: url }: StripeObject): string {
  const origin = typeof url === 'string' ? new URL(url).origin : '';
  return plainPagePolicy(`'self' ${origin}`);
}

/** The page of a session, marked as a test: its price, its state, and a button for each valid action. */
export function pageOf(session: StripeObject, actions: Action[], notice?: string): string {
  const isOpen = session.status === 'open';
  const back = isOpen ? session.cancel_url : session.success_url;
  return documentOf(`<h1>${session.mode === 'setup' ? 'Save a card for Ledgerline' : 'Ledgerline credit'}</h1>
<p class="amount">${session.mode === 'setup' ? 'Visa •••• 4242' : usdText(session.amount_total)}</p>
<p class="notice" role="status">${escapeHtml(notice ?? stateText(session))}</p>
${actions.map((action, index) => formOf(action, index === 0 && isOpen, isOpen && isOn(session.automatic_tax))).join('\n')}
${typeof back === 'string' ? `<p><a href="${escapeHtml(back)}">Back to Ledgerline</a></p>` : ''}`);
}

/** The receipt of a payment, marked as a test. */
export function receiptOf({ id, amount, amount_refunded: refunded, created }: StripeObject): string {
  const taken = Number(refunded) > 0 ? `<p class="notice">${usdText(refunded)} of it was refunded.</p>` : '';
  return documentOf(`<h1>Receipt: Ledgerline credit</h1><p class="amount">${usdText(amount)}</p>
<p>Paid on ${momentText(new Date(created * 1000))}. Payment ${escapeHtml(id)}.</p>${taken}`);
}

const documentOf = (content: string): string =>
  renderPlainPage({
    title: 'TEST payment',
    isAlone: true,
    strip: 'TEST: no card is charged and no money moves',
    content: `<section class="card">${content}</section>`,
  });

function formOf(action: Action, isMain: boolean, isTaxed: boolean): string {
  const amount =
    isTaxed && isMain
      ? TAX_FIELDS
      : action === 'refund'
        ? '<label>Amount in US dollars, empty for all: <input name="usd" inputmode="decimal" pattern="\\d+(\\.\\d{1,2})?"></label>'
        : '';
  return `<form method="post">${amount}<button name="action" value="${action}"${isMain ? ' class="main"' : ''}>${LABELS[action]}</button></form>`;
}

function stateText({ status, payment_status: paid, mode }: StripeObject): string {
  if (status === 'open') return mode === 'setup' ? 'The card is not saved yet.' : 'Not paid yet.';
  if (status === 'expired') return 'This page has expired. Nothing was paid.';
  if (mode === 'setup') return 'The card is saved.';
  return paid === 'paid' ? 'Paid. The credit is on the balance.' : 'The bank transfer is on its way.';
}

const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

const usdText = (cents: unknown): string => USD.format(Number(cents) / 100);
