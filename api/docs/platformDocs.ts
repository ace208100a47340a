import type { z } from 'zod';
import type { RouteDoc } from './documentedRoute.ts';
import { EventObject } from './eventDocs.ts';
import { Balance, EndedRequest, InspectedKey, KeyList, LedgerPage, Readiness, Status } from './platformAnswers.ts';

const STATUS = { id: 'Status', schema: Status };

/** What callers are told about the platform family and the health checks. `ledgerQuery` is the schema that checks the ledger's query. */
export function platformDocs({ ledgerQuery }: { ledgerQuery: z.ZodObject }) {
  return {
    inspectKey: {
      tag: 'Keys',
      summary: 'Inspect the calling key',
      answer: { id: 'InspectedKey', schema: InspectedKey },
      errors: [],
    },
    listKeys: {
      tag: 'Keys',
      summary: 'List the keys of the workspace',
      answer: { id: 'KeyList', schema: KeyList },
      errors: [],
    },
    retrieveRequest: {
      tag: 'Billing',
      summary: 'Read what a request was and what it cost',
      description: 'There from the moment the answer ended. The id is the answer’s `x-request-id`.',
      answer: { id: 'EndedRequest', schema: EndedRequest },
      errors: [404, 422],
    },
    retrieveBalance: {
      tag: 'Billing',
      summary: 'Read the balance',
      answer: { id: 'Balance', schema: Balance },
      errors: [],
    },
    listLedger: {
      tag: 'Billing',
      summary: 'List the entries of the ledger',
      description: 'Newest first. Send `next_cursor` as `cursor` for the next page.',
      query: ledgerQuery,
      answer: { id: 'LedgerPage', schema: LedgerPage },
      errors: [422],
    },
    retrieveEvent: {
      tag: 'Events',
      summary: 'Read an event',
      description: 'Kept for 30 days.',
      answer: EventObject,
      errors: [404, 422],
    },
    health: {
      tag: 'Service',
      summary: 'Whether the process runs',
      isPublic: true,
      answer: STATUS,
      errors: [],
    },
    readiness: {
      tag: 'Service',
      summary: 'Whether it can do its work',
      isPublic: true,
      answer: { id: 'Readiness', schema: Readiness },
      errors: [],
    },
  } satisfies Record<string, RouteDoc>;
}
