import { createHash } from 'node:crypto';
import { escapeHtml } from '../../base/web.ts';
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

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem; }
p.test { margin: 0; background: #b45309; color: #fff; text-align: center; padding: .5rem; font-weight: 600; }
h1 { font-size: 1.1rem; margin: 1rem 0 0; }
.amount { font-size: 2.5rem; font-weight: 700; font-variant-numeric: tabular-nums; margin: 0 0 1rem; }
form { margin: .5rem 0; }
button { width: 100%; padding: .7rem; font: inherit; border: 1px solid #8888; border-radius: .5rem; background: transparent; color: inherit; cursor: pointer; }
button.main { background: #1d4ed8; border-color: #1d4ed8; color: #fff; font-weight: 600; }
input { font: inherit; width: 8rem; padding: .4rem; margin-bottom: .4rem; }
.notice { padding: .6rem .8rem; border-left: 4px solid #1d4ed8; background: #8882; }
a { color: inherit; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * The page allows only its own style, by hash. Its forms may redirect to the platform, because browsers apply that policy to redirects too.
 */
export function pagePolicyOf({ success_url: url }: StripeObject): string {
  const origin = typeof url === 'string' ? new URL(url).origin : '';
  return `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self' ${origin}; frame-ancestors 'none'; base-uri 'none'`;
}

/** The page of a session, marked as a test: its price, its state, and a button for each valid action. */
export function pageOf(session: StripeObject, actions: Action[], notice?: string): string {
  const isOpen = session.status === 'open';
  const back = isOpen ? session.cancel_url : session.success_url;
  return documentOf(`<h1>${session.mode === 'setup' ? 'Save a card for Ledgerline' : 'Ledgerline credit'}</h1>
<p class="amount">${session.mode === 'setup' ? 'Visa •••• 4242' : usdText(session.amount_total)}</p>
<p class="notice" role="status">${escapeHtml(notice ?? stateText(session))}</p>
${actions.map((action, index) => formOf(action, index === 0 && isOpen)).join('\n')}
${typeof back === 'string' ? `<p><a href="${escapeHtml(back)}">Back to Ledgerline</a></p>` : ''}`);
}

/** The receipt of a payment, marked as a test. */
export function receiptOf({ id, amount, amount_refunded: refunded, created }: StripeObject): string {
  const paidAt = new Date(created * 1000).toISOString().slice(0, 16).replace('T', ' ');
  const taken = Number(refunded) > 0 ? `<p class="notice">${usdText(refunded)} of it was refunded.</p>` : '';
  return documentOf(`<h1>Receipt: Ledgerline credit</h1><p class="amount">${usdText(amount)}</p>
<p>Paid on ${paidAt} UTC. Payment ${escapeHtml(id)}.</p>${taken}`);
}

const documentOf = (content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>TEST payment</title><style>${STYLE}</style></head>
<body><p class="test" role="note">TEST: no card is charged and no money moves</p>
<main>${content}
</main></body></html>`;

function formOf(action: Action, isMain: boolean): string {
  const amount =
    action === 'refund'
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

const usdText = (cents: unknown): string => `$${(Number(cents) / 100).toFixed(2)}`;
