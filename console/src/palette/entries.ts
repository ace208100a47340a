import type { ComponentType } from 'react';
import type { components } from '../api/openapi.d.ts';
import type { MenuItem } from '../pages.ts';
import { hasWords } from '../parts/hasWords.ts';
import { Docs } from '../shell/icons.ts';

/** One line of the palette: what it is called, and what choosing it does. */
export interface Entry {
  /** Unique among all entries. */
  value: string;
  group: 'Pages' | 'Actions' | 'Models' | 'Found';
  label: string;
  icon?: ComponentType;
  /** Stands dim beside the label. */
  note?: string;
  /** Other words that it is found by. */
  words?: string;
  /** A page of this address is opened; or it does something here. */
  to?: string;
  act?: () => void;
}

export type Found = components['schemas']['SearchResults']['data'][number];

/** The pages that a person may open. */
export const pageEntries = (shown: readonly MenuItem[]): Entry[] => [
  ...shown.map(({ path, title, menu }): Entry => ({
    value: `page ${path}`,
    group: 'Pages',
    label: menu.label,
    icon: menu.icon,
    words: `${title ?? ''} ${menu.group}`,
    to: path,
  })),
  { value: 'page /docs', group: 'Pages', label: 'Documentation', icon: Docs, words: 'docs api reference', to: '/docs' },
];

const KINDS: Record<Found['object'], { name: string; at: (id: string) => string }> = {
  request: { name: 'Request', at: (id) => `/requests/${id}` },
  run: { name: 'Run', at: (id) => `/runs/${id}` },
  session: { name: 'Session', at: (id) => `/sessions/${id}` },
  batch: { name: 'Batch', at: (id) => `/batches/${id}` },
  file: { name: 'File', at: (id) => `/files?view=files&file=${id}` },
  invoice: { name: 'Invoice', at: (id) => `/billing?view=invoices&invoice=${id}` },
  payment: { name: 'Payment', at: () => '/billing?view=payments' },
  api_key: { name: 'Key', at: (id) => `/keys?edit=${id}` },
  project: { name: 'Project', at: (id) => `/projects/${id}` },
  agent: { name: 'Your agent', at: (id) => `/publish/${id}` },
  schedule: { name: 'Schedule', at: (id) => `/schedules/${id}` },
  webhook_endpoint: { name: 'Webhook endpoint', at: (id) => `/webhooks/${id}` },
  ledger_entry: { name: 'Ledger entry', at: (id) => `/explain?id=${id}` },
  event: { name: 'Event', at: (id) => `/explain?id=${id}` },
};

/** What the API found. A key that a person may not change leads to its requests. */
export const foundEntries = (found: readonly Found[], mayManage: boolean): Entry[] =>
  found.map(({ object, id, name }) => ({
    value: `found ${object} ${id}`,
    group: 'Found',
    label: name || id,
    note: `${KINDS[object].name}${name ? ` · ${id}` : ''}`,
    to: object === 'api_key' && !mayManage ? `/requests?key=${id}` : KINDS[object].at(encodeURIComponent(id)),
  }));

/** The models whose ids or names match, for their pages. */
export const modelEntries = (models: readonly { id: string; name: string; aliases: string[] }[]): Entry[] =>
  models.map(({ id, name, aliases }) => ({
    value: `model ${id}`,
    group: 'Models',
    label: name,
    note: id,
    words: aliases.join(' '),
    to: `/models/${encodeURIComponent(id)}`,
  }));

/** The entries that match every word; those whose label begins with the text come first. */
export function matching(entries: readonly Entry[], text: string): Entry[] {
  const query = text.trim().toLowerCase();
  const isMatch = ({ label, note = '', words = '' }: Entry) => hasWords(`${label} ${note} ${words}`, query);
  const rank = ({ label }: Entry) => (label.toLowerCase().startsWith(query) ? 0 : 1);
  return entries.filter(isMatch).toSorted((one, other) => rank(one) - rank(other));
}
