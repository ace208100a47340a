import { z } from 'zod';
import type { NamedSchema, RouteDoc } from './documentedRoute.ts';
import * as headers from './requestHeaders.ts';
import { pageOf } from './pageOf.ts';

/** An event object: in streams, in lists, looked up and sent to webhooks. */
export const EventObject: NamedSchema = {
  id: 'Event',
  schema: z.object({
    id: z.string().describe('Send it as `Last-Event-ID` to go on after it.'),
    object: z.literal('event'),
    type: z.string().describe('For example `run.output_text.delta`. New types may come: ignore those you do not know.'),
    created_at: z.iso.datetime(),
    timestamp: z.iso.datetime().describe('The same as `created_at`.'),
    sequence: z.int().describe('Numbers the events of a run from 1, without a gap.'),
    run_id: z.string().nullable(),
    resource: z.object({ type: z.string(), id: z.string() }),
    data: z.unknown().describe('The last event of a run holds the run.'),
  }),
};

const EventPage: NamedSchema = { id: 'EventPage', schema: pageOf(EventObject.schema) };

/** What callers are told about the events of runs. `eventsQuery` is the schema that checks the query. */
export function eventDocs(eventsQuery: z.ZodObject) {
  return {
    listRunEvents: {
      tag: 'Runs',
      summary: 'Follow what happens in a run',
      description:
        'A stream of server-sent events until the run has ended: from the first one, or after the id in the header `Last-Event-ID` or in ' +
        '`starting_after`. A reader that has the last event already is answered 204. Closing the stream does not stop the run.',
      query: eventsQuery,
      headers: headers.RESUME,
      answer: EventPage,
      statuses: [200, 204],
      stream: { when: 'The events: a stream, or with `Accept: application/json` a list.', event: EventObject },
      errors: [400, 403, 404, 410, 422],
    },
  } satisfies Record<string, RouteDoc>;
}
