import { REFUSAL_DAYS } from '../../db/accounting/refusals.ts';
import * as headers from '../http/documentedHeaders.ts';
import { pageOf, type RouteDoc } from '../http/documentedRoute.ts';
import { EndedCall, RequestTotals } from './requestAnswers.ts';
import { RequestsQuery, RequestTotalsQuery } from './requestSchema.ts';

/** Documentation of calls and their cost. */
export const requestDocs = {
  list: {
    tag: 'Billing',
    summary: 'List the requests of the workspace',
    description:
      'Calls that have ended, the last one first. Calls that were refused before anything ran are listed for ' +
      `${REFUSAL_DAYS} days with their \`error\`; they cost nothing. Send \`next_cursor\` as \`cursor\` for ` +
      'the next page. `format=csv` has them all in one file.',
    query: RequestsQuery,
    answer: { id: 'RequestPage', schema: pageOf(EndedCall) },
    alsoAs: ['text/csv'],
    answerHeaders: { ...headers.NAMED },
  },
  totals: {
    tag: 'Billing',
    summary: 'Count the requests of the workspace, and sum up their cost',
    description: 'Of the same entries as the list has with the same filters.',
    query: RequestTotalsQuery,
    answer: { id: 'RequestTotals', schema: RequestTotals },
  },
  retrieve: {
    tag: 'Billing',
    summary: 'Read what a request was and what it cost',
    description:
      'There from the moment the answer ended, also of a call that was refused: then `error` says why; 409 ' +
      '`request_not_ended` while a stream still runs, or is still ending because its client has just left. The ' +
      'id is the answer’s `x-request-id`, or the `id` in its body (`chatcmpl-…`, `cmpl-…`, `resp_…`).',
    answer: { id: 'EndedRequest', schema: EndedCall },
    errors: [409],
  },
} satisfies Record<string, RouteDoc>;
