import { z } from 'zod';
import { readFiles } from '../../db/files/files.ts';
import { scopeMissingFor } from '../../db/keys/filePurposes.ts';
import { findNamed, type Found, type FoundObject } from '../../db/search/findNamed.ts';
import type { Key } from '../../db/keys/keys.ts';
import { hasScope, type Scope } from '../../db/keys/scopes.ts';
import { requestIdIn } from '../../calls/text/responseId.ts';
import { findEvent } from '../../db/events/readEvents.ts';
import { findLedgerEntry } from '../../db/ledger/ledgerEntries.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { Context, Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import type { Services } from '../services.ts';
import { readsEvent } from '../webhooks/publisherWebhooks.ts';
import { searchText } from './searchText.ts';

const OBJECTS = [
  'request',
  'run',
  'session',
  'batch',
  'file',
  'payment',
  'invoice',
  'api_key',
  'project',
  'agent',
  'schedule',
  'webhook_endpoint',
  'ledger_entry',
  'event',
] as const;

type SearchObject = (typeof OBJECTS)[number];

export const SearchQuery = z.strictObject({
  query: searchText(1).meta({
    description: 'An id, the beginning of a key, or a part of a name.',
    examples: ['qwen'],
  }),
});

const SearchResults = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.enum(OBJECTS),
      id: z.string(),
      name: z.string().describe('What people call it; empty without a name.'),
      created_at: z.iso.datetime(),
    }),
  ),
});

export const searchDoc = {
  tag: 'Service',
  summary: 'Find something by its id or name',
  description:
    'Takes any id of the workspace: of a request or its answer (`chatcmpl-…`, `resp_…`), a run, a session, a batch, a ' +
    'file, a payment, an invoice, a key, a project, an agent, a schedule, a webhook endpoint, a ledger entry, an event. ' +
    'Invoices are also found by their number, keys by the beginning of their secret, and keys, own agents, schedules ' +
    'and endpoints by a part of their names. Has what the key’s scopes allow to read, at most five of a kind.',
  query: SearchQuery,
  answer: { id: 'SearchResults', schema: SearchResults },
} satisfies RouteDoc;

/** The scope that the routes of a kind of object ask for; other kinds need none. */
const SCOPES: Partial<Record<SearchObject, Scope[]>> = {
  run: ['agents'],
  session: ['agents'],
  schedule: ['agents'],
  batch: ['batch'],
  agent: ['publisher'],
  webhook_endpoint: ['manage'],
  invoice: ['manage', 'billing'],
};

type State = Context['state'];

/** Not found by those who are limited to projects. */
const OF_WORKSPACE = new Set<SearchObject>(['payment', 'invoice', 'webhook_endpoint', 'ledger_entry', 'event']);

/** Members see every endpoint, keys only with their scope. Of the members, only those who pay see invoices. */
const mayFind = ({ key, member }: State, object: SearchObject): boolean => {
  if (key.seesProjects && OF_WORKSPACE.has(object)) return false;
  if (member && object === 'invoice') return hasScope(key, 'billing');
  return (member && object === 'webhook_endpoint') || (SCOPES[object]?.some((scope) => hasScope(key, scope)) ?? true);
};

const NAMED = OBJECTS.filter((object): object is FoundObject => object !== 'ledger_entry' && object !== 'event');

/** `GET /platform/v1/search`: what has an id, or a name. */
export function search({ db }: Services): Handler<z.output<typeof SearchQuery>> {
  return async (ctx) => {
    const { key } = ctx.state;
    const { query } = ctx.state.input;
    await Promise.all([db.ledger.posted(), db.refusals.written()]);
    const rows = seenBy(db, key);
    const id = requestIdIn(query)?.requestId ?? query;
    const objects = NAMED.filter((object) => mayFind(ctx.state, object));
    const caused = key.seesProjects ? [] : await findCaused(ctx, rows, query);
    const named = await filterReadable(rows, key, await findNamed(rows, objects, id));
    const found = [...named, ...caused];
    ctx.body = {
      object: 'list',
      data: found.map(({ object, id: foundId, name, createdAt }) => ({
        object,
        id: foundId,
        name,
        created_at: createdAt.toISOString(),
      })),
    } satisfies z.infer<typeof SearchResults>;
  };
}

/** Leaves out a file whose purpose the key's scopes do not cover. */
async function filterReadable(rows: Rows, key: Key, found: Found[]): Promise<Found[]> {
  const fileIds = found.flatMap(({ object, id }) => (object === 'file' ? [id] : []));
  if (fileIds.length === 0) return found;
  const files = await rows.statement((tx) => readFiles(tx, fileIds));
  const readable = new Set(files.filter(({ purpose }) => !scopeMissingFor(key, purpose)).map(({ id }) => id));
  return found.filter(({ object, id }) => object !== 'file' || readable.has(id));
}

interface Caused {
  object: SearchObject;
  id: string;
  name: string;
  createdAt: Date;
}

/** A ledger entry, or an event that the caller may read, which have forms of their own. */
async function findCaused(ctx: Context, rows: Rows, id: string): Promise<Caused[]> {
  if (id.startsWith('le_')) {
    const entry = await findLedgerEntry(rows, ctx.state.key.accountId, id);
    return entry ? [{ object: 'ledger_entry', id, name: entry.kind, createdAt: entry.createdAt }] : [];
  }
  if (id.startsWith('evt_')) {
    const event = await findEvent(rows, id);
    return event && readsEvent(ctx, event)
      ? [{ object: 'event', id, name: event.type, createdAt: new Date(event.created_at) }]
      : [];
  }
  return [];
}
