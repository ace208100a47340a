import { countText } from '../base/sentences.ts';
import { dayText, momentText, monthText } from '../base/dateText.ts';
import { findInvoice } from '../db/invoices/invoices.ts';
import { renderInvoice } from '../db/invoices/renderInvoice.ts';
import type { MailedEventType } from '../db/events/eventTypes.ts';
import { pruneEventMails, returnEventMail, takeEventMail, type EventMailOrder } from '../db/mails/eventMails.ts';
import { dollarText, nanosOfUsd } from '../db/money.ts';
import { FAILING_DAYS_MAX } from '../db/webhooks/attempts.ts';
import type { Rows } from '../db/postgres/rows.ts';
import { nameInMail } from '../providers/mail/mailDocument.ts';
import type { Mail, Mailer } from '../providers/mail/mailer.ts';
import { failingTextOf, agentTextOf, isAgentNotice, type Notice } from './agentMails.ts';
import { isOutcome, outcomeTextOf, type Outcome } from './outcomeMails.ts';
import { rateText, type Rate } from './rateText.ts';

interface BillingMailServices {
  everywhere: Rows<undefined>;
  mailer: Pick<Mailer, 'sendMail'>;
  /** The address of the console: without it, mails have no button. */
  consoleUrl?: string | undefined;
  /** Called before each mail. */
  onProgress: (sent: number) => void;
  onFailure: (error: unknown) => void;
}

// While the mail server is down, the remaining mails are skipped.
const FAILURES_MAX = 3;

/**
 * Sends the due mails about workspaces: an invoice, a low or exhausted balance, a declined payment, a disabled webhook endpoint, an agent's price
 * increase, failures or end, what became of a submission, an erasure. Each is sent once; mails that were not sent are retried later. Returns the number of sent mails.
 */
export async function sendBillingMails({
  everywhere,
  mailer,
  consoleUrl,
  onProgress,
  onFailure,
}: BillingMailServices): Promise<number> {
  await pruneEventMails(everywhere);
  let sent = 0;
  for (let failures = 0; failures < FAILURES_MAX;) {
    onProgress(sent);
    const order = await takeEventMail(everywhere);
    if (!order) break;
    try {
      const { subject, text } = textOf(order);
      const files = await filesOf(everywhere, order);
      const mail = { to: order.recipient, subject, text: text + linkOf(order, consoleUrl), reason: reasonOf(order) };
      await mailer.sendMail({ ...mail, ...files });
      sent += 1;
    } catch (error) {
      await returnEventMail(everywhere, order, { isRefused: isRefusal(error) });
      onFailure(error);
      failures += 1;
    }
  }
  return sent;
}

/** Whether the server refuses this mail permanently. A refused login, a temporary refusal and a missing server can be repaired. */
function isRefusal(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string };
  return responseCode >= 500 && code !== 'EAUTH';
}

/** The invoice that a mail is about. */
async function filesOf(
  everywhere: Rows<undefined>,
  { type, data }: EventMailOrder,
): Promise<Pick<Mail, 'attachments'>> {
  if (type !== 'invoice.issued') return {};
  const invoice = (await findInvoice(everywhere, data.id!))!;
  const content = await renderInvoice(invoice);
  return { attachments: [{ filename: `${invoice.number}.pdf`, content, contentType: 'application/pdf' }] };
}

/** Why the recipient gets the mail. Accounts payable may have no account. */
const reasonOf = ({ type, workspaceName }: EventMailOrder): string =>
  type === 'invoice.issued'
    ? `You get this because the invoices of "${nameInMail(workspaceName)}" go to this address.`
    : `You get this as a member of the workspace "${nameInMail(workspaceName)}" at Ledgerline.`;

/** The page that a mail is about, as a paragraph: its button. It opens in the mail's workspace. */
function linkOf({ type, data, workspaceId }: EventMailOrder, consoleUrl: string | undefined): string {
  const path = PAGES.find(([start]) => type.startsWith(start))?.[1](data);
  if (path === undefined || consoleUrl === undefined) return '';
  const url = new URL(path, consoleUrl);
  url.searchParams.set('in_workspace', workspaceId);
  return `\n\n${url.href}`;
}

/** By the beginning of a type. */
const PAGES: [start: string, path: (data: EventMailOrder['data']) => string][] = [
  ...['balance.', 'alert.', 'topup.', 'invoice.'].map((start): [string, () => string] => [start, () => '/billing']),
  ['webhook_endpoint.', ({ webhook_endpoint_id: id }) => `/webhooks/${id}`],
  ['agent.price_increase', ({ agent }) => `/agents/${agent}`],
  ['agent.deprecated', ({ agent }) => `/agents/${agent}`],
  ['agent.restored', ({ agent }) => `/agents/${agent}`],
  ['agent.taken_down', () => '/schedules'],
  ['agent.failing', ({ agent_id: id }) => `/publish/${id}?tab=runs`],
  ['deployment.', ({ agent_id: id }) => `/publish/${id}?tab=review`],
  ['workspace.', () => '/settings?tab=workspace'],
];

function textOf({ type, data, workspaceId, ...order }: EventMailOrder): { subject: string; text: string } {
  const workspaceName = nameInMail(order.workspaceName);
  const name = `"${workspaceName}" (${workspaceId})`;
  if (isOutcome(type)) return outcomeTextOf(type, data, name);
  if (type === 'agent.failing') return failingTextOf(data, name);
  if (isAgentNotice(type)) return agentTextOf(type, data, name);
  return moneyTextOf(type, { data, workspaceName, name });
}

interface About {
  data: EventMailOrder['data'];
  workspaceName: string;
  name: string;
}

function moneyTextOf(
  type: Exclude<MailedEventType, Outcome | Notice | 'agent.failing'>,
  { data, workspaceName, name }: About,
): { subject: string; text: string } {
  const topUp = 'Top up under Billing in the console. An automatic top-up can be set there too.';
  switch (type) {
    case 'balance.low':
      return {
        subject: `The balance of ${workspaceName} is low`,
        text:
          `The balance of your workspace ${name} is ${dollars(data.balance_usd)}. When it is used up, calls are refused ` +
          `with 402.\n\n${topUp}`,
      };
    case 'balance.depleted':
      return {
        subject: `The balance of ${workspaceName} is used up`,
        text:
          `The balance of your workspace ${name} is ${dollars(data.balance_usd)}: calls are refused with 402 until it ` +
          `is topped up.\n\n${String(data.automatic_topup) === 'true' ? 'The saved card is being charged for that.' : topUp}`,
      };
    case 'alert.spend_reached':
    case 'alert.runway_short':
      return alertTextOf(type, data, { name, workspaceName });
    case 'invoice.issued':
      return invoiceTextOf(data, { name, workspaceName });
    case 'topup.failed':
      return declineTextOf(data, { name, workspaceName });
    case 'agent.price_increase':
      return {
        subject: `${data.agent} will cost more`,
        text:
          `The price of ${data.agent} increases on ${momentText(data.effective_at!)}. Runs that name no version then use its version ` +
          `${data.version}: ${priceText(data)}. Your workspace ${name} ran it lately.\n\nGET ` +
          `/v1/agents/${data.agent} has the new prices as upcoming_version. To keep the present version, name it ` +
          'in "version" of your runs.',
      };
    case 'workspace.erasure_ordered':
      return {
        subject: `${workspaceName} will be erased`,
        text:
          `The workspace ${name} will be erased on ${momentText(data.erase_at!)}. Its keys have ended, its runs are cancelled, ` +
          'and its public agents are suspended. Until then an owner can cancel this under Settings in the console, ' +
          `and save its rows and files there.\n\nPeople who have no other workspace lose their account with it.`,
      };
    case 'workspace.erasure_cancelled':
      return {
        subject: `${workspaceName} is not erased`,
        text: `The erasure of the workspace ${name} was cancelled. The keys that it had ended work again, and its public agents are back.`,
      };
    case 'webhook_endpoint.disabled': {
      const why =
        data.reason === 'gone' ? 'it answered 410' : `every delivery to it failed for ${FAILING_DAYS_MAX} days`;
      return {
        subject: `A webhook endpoint of ${workspaceName} was disabled`,
        text:
          `The webhook endpoint ${data.url} of your workspace ${name} was disabled, because ${why}. It gets no ` +
          `more events.\n\nWhen it works again, enable it on its page in the console, and send there what it missed. By the API: PATCH ` +
          `/platform/v1/webhook_endpoints/${data.webhook_endpoint_id} {"disabled": false}, and POST ` +
          '/platform/v1/events/{event_id}/redeliver.',
      };
    }
    default:
      // An event of another release.
      throw new Error(`no mail is known for ${String(type satisfies never)}`);
  }
}

const declineTextOf = (
  data: EventMailOrder['data'],
  { name, workspaceName }: { name: string; workspaceName: string },
) =>
  data.source === 'checkout'
    ? {
        subject: `A payment of ${workspaceName} was declined`,
        text:
          `The payment of ${dollars(data.amount_usd)} into your workspace ${name} was declined: ${data.reason} Nothing was ` +
          'added to the balance.\n\nTop up again under Billing in the console.',
      }
    : {
        subject: `An automatic top-up of ${workspaceName} was declined`,
        text:
          `The automatic top-up of your workspace ${name} was declined: ${data.reason}\n\nCheck the card under ` +
          'Billing in the console, or top up there by hand: when the balance is used up, calls are refused with 402.',
      };

const invoiceTextOf = (
  data: EventMailOrder['data'],
  { name, workspaceName }: { name: string; workspaceName: string },
) => ({
  subject: `Invoice ${data.number} of ${workspaceName}`,
  text:
    `The invoice ${data.number} of your workspace ${name} for ${monthText(data.month!)} is attached: ${paidText(data.total_usd!)}, and ` +
    'nothing is due.\n\nAll invoices are under Billing in the console, and so is the address that gets them.',
});

/** Of a month in which more was refunded than paid, the total is below zero. */
function paidText(totalUsd: string): string {
  if (totalUsd.startsWith('-')) return `${dollars(totalUsd.slice(1))} were returned`;
  return totalUsd === '0' ? 'no payment was made' : `${dollars(totalUsd)} were paid`;
}

/** A budget that is spent in part, or a balance that will not last. */
function alertTextOf(
  type: 'alert.spend_reached' | 'alert.runway_short',
  data: EventMailOrder['data'],
  { name, workspaceName }: { name: string; workspaceName: string },
): { subject: string; text: string } {
  if (type === 'alert.runway_short')
    return {
      subject: `The balance of ${workspaceName} lasts ${countText(data.runway_days!, 'day')}`,
      text:
        `Your workspace ${name} has ${dollars(data.balance_usd)} available. At the pace of the last seven days ` +
        `this lasts ${countText(data.runway_days!, 'day')}. You asked to be told below ${data.days}.\n\nTop up under Billing in ` +
        'the console. An automatic top-up can be set there too.',
    };
  const { key_name: key, project_name: project } = data;
  const part = key ? `The key "${nameInMail(key)}"` : project && `The project "${nameInMail(project)}"`;
  const spender = part ? `${part} of your workspace ${name}` : `Your workspace ${name}`;
  return {
    subject: `${data.percent}% of a budget of ${workspaceName} is spent`,
    text:
      `${spender} has spent ${dollars(data.spent_usd)} of its ${data.period} budget of ${dollars(data.amount_usd)}` +
      `${typeof data.period_start === 'string' ? ` that began on ${dayText(data.period_start)}` : ''}. This stops nothing: ` +
      'the spend limit of a key or a project does.\n\nUsage in the console shows what it was spent on. The ' +
      'alert itself is under Billing.',
  };
}

/** The prices of an announced version. Events from before rates existed have only the maximum. */
const priceText = ({ maximum_cost_usd: mostUsd, rates = [] }: Record<string, unknown>): string =>
  [`a run costs at most ${dollars(mostUsd)}`, ...(rates as Rate[]).map(rateText)].join(', ');

/** An amount of an event as the console shows it. */
const dollars = (usd: unknown): string => dollarText(nanosOfUsd(typeof usd === 'number' ? usd : String(usd)));
