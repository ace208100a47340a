import { dayText, monthText } from '../../base/dateText.ts';
import type { PlatformEventType } from '../../db/events/eventTypes.ts';

/** An event of the workspace that its overview shows for a month. */
export interface Noticed {
  type: string;
  /** What the event has, by `PLATFORM_EVENT_TYPES`: events of earlier releases may have less. */
  data: object;
}

/** The types of events that are notices. */
export const noticeTypes = (): string[] => Object.keys(SENTENCES);

/** The sentence of a notice: it names what the event is about, as far as the event does. */
export function noticeText({ type, data }: Noticed): string {
  return SENTENCES[type as PlatformEventType]!(new Facts(data));
}

/** The texts of an event's data, each with the words that stand for a missing one. */
class Facts {
  readonly #data: Partial<Record<string, unknown>>;

  constructor(data: object) {
    this.#data = { ...data };
  }

  text(name: string, without = ''): string {
    const value = this.#data[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : without;
  }

  has(name: string): boolean {
    return this.text(name) !== '';
  }

  /** An amount in dollars, with two digits at least. */
  usd(name: string, without = ''): string {
    const text = this.text(name);
    if (text === '') return without;
    const [whole, digits = ''] = text.replace('-', '').split('.');
    return `${text.startsWith('-') ? '−' : ''}$${whole}.${digits.padEnd(2, '0')}`;
  }
}

const versionOf = (facts: Facts): string =>
  facts.has('agent')
    ? `Version ${facts.text('version') || facts.text('version_number')} of ${facts.text('agent')}`
    : 'A submitted agent';

const spentOf = (facts: Facts): string => facts.text('key_name') || facts.text('project_name') || 'this workspace';

/** The period of a budget or limit, which may have ended since. */
function periodOf(facts: Facts, name: 'period' | 'spend_limit_period'): string {
  const start = facts.text('period_start');
  if (start === '') return '';
  return ` for ${facts.text(name) === 'daily' ? dayText(start) : monthText(start.slice(0, 7))}`;
}

/** The host alone: the rest of an address may be a secret. */
function hostOf(facts: Facts): string {
  const { host } = URL.parse(facts.text('url')) ?? { host: '' };
  return host === '' ? 'A webhook endpoint' : `The webhook endpoint at ${host}`;
}

const SENTENCES: Partial<Record<PlatformEventType, (facts: Facts) => string>> = {
  'balance.low': () => 'The balance is low. Top up, or let a saved card do it.',
  'balance.depleted': () => 'The balance is used up: calls are refused until it is topped up.',
  'alert.spend_reached': (facts) =>
    facts.has('percent')
      ? `Spending of ${spentOf(facts)} has reached ${facts.text('percent')} % of its budget of ${facts.usd('amount_usd')}${periodOf(facts, 'period')}.`
      : 'Spending has reached a part of a budget.',
  'agent.failing': (facts) => `Runs of ${facts.text('agent', 'a published agent')} fail.`,
  'alert.runway_short': () => 'The balance will not last long at this pace.',
  'invoice.issued': (facts) =>
    facts.has('number')
      ? `Invoice ${facts.text('number')} was issued: ${facts.usd('total_usd')}.`
      : 'An invoice was issued.',
  'topup.failed': (facts) =>
    `A payment ${facts.has('amount_usd') ? `of ${facts.usd('amount_usd')} ` : ''}was declined, by the saved card or by a bank.`,
  'topup.succeeded': (facts) => `${facts.usd('amount_usd', 'A payment')} was added to the balance.`,
  'agent.price_increase': (facts) => `${nameOf(facts)} will cost more.`,
  'agent.taken_down': (facts) => `${nameOf(facts)} was taken down.`,
  'agent.deprecated': (facts) => `${nameOf(facts)} will stop taking orders.`,
  'agent.restored': (facts) =>
    `${facts.text('agent', 'An agent')}, which was taken down or deprecated, takes orders again.`,
  'deployment.approved': (facts) => `${versionOf(facts)} was approved.`,
  'deployment.changes_requested': (facts) => `A reviewer asks for changes to ${lowerFirst(versionOf(facts))}.`,
  'deployment.rejected': (facts) => `${versionOf(facts)} was rejected.`,
  'key.limit_reached': (facts) =>
    `${facts.has('name') ? `The key ${facts.text('name')}` : 'A key'} has reached its spend limit${
      periodOf(facts, 'spend_limit_period') || ': its calls are refused'
    }.`,
  'webhook_endpoint.disabled': (facts) => `${hostOf(facts)} was disabled, because deliveries to it failed.`,
  'workspace.erasure_ordered': () =>
    'The workspace will be erased, and its keys have ended. An owner can cancel it under Settings.',
  'workspace.erasure_cancelled': () => 'The workspace is not erased.',
  'deployment.suspended': (facts) => `${versionOf(facts)} was suspended by an operator.`,
};

const nameOf = (facts: Facts): string => facts.text('agent', 'An agent that this workspace ran lately');

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
