import type { z } from 'zod';
import { parseEventId } from '../../db/events/appendEvents.ts';
import { readEvents, type EventLog } from '../../db/events/readEvents.ts';
import type { Context, Handler, LimitClass } from '../context.ts';
import { eventExpired } from './errors.ts';
import { invalidRequest, notFound } from '../../base/errors/requestErrors.ts';
import { pathId } from '../body/parseWith.ts';
import type { Services } from '../services.ts';
import { leftOutBy } from './chosenEvents.ts';
import { streamRunEvents } from './followRun.ts';
import { presentPage } from '../http/documentedRoute.ts';
import type { EventsQuery } from './runSchema.ts';

/**
 * `GET /v1/runs/{run_id}/events`: a run's events, as a stream until the run has ended, or as a list with `Accept: application/json`. Starts
 * with the first event, or after the event in `Last-Event-ID` or `starting_after`. A client with the last event gets 204, which stops it
 * from reconnecting. Throws 400 `invalid_event_id`, 404 `run_not_found`, 410 `event_expired`.
 */
export function listRunEvents(services: Services): Handler<z.output<typeof EventsQuery>> {
  const { db } = services;
  return async (ctx) => {
    const runId = pathId(ctx, 'run_id');
    const { workspaceId } = ctx.state.key;
    const seen = lastSeenOf(ctx);
    const log = await db.runFollows.extentOf({ workspaceId, runId }, seen?.place?.sequence ?? 0);
    if (!log) throw notFound(`No run with the id '${runId}'.`, 'run_not_found');
    const after = startOf(seen, runId, log);
    const { limit, include } = ctx.state.input;
    if (isList(ctx)) {
      // One more than requested reveals whether another page exists.
      const events = await readEvents(db.read(workspaceId), runId, {
        after,
        limit: limit + 1,
        except: leftOutBy(include),
      });
      ctx.body = pageOf(events, limit);
    } else if (log.ended && after === log.last) {
      ctx.status = 204;
    } else {
      await streamRunEvents(ctx, services, { workspaceId, runId, after, reached: log.last, include });
    }
  };
}

const isList = (ctx: Context): boolean => ctx.accepts('text/event-stream', 'application/json') === 'application/json';

/** A stream of events follows its run, a list is a call. */
export const eventsClassOf = (ctx: Context): LimitClass => (isList(ctx) ? 'call' : 'follower');

/** A well-formed event id, and its position. */
interface Seen {
  id: string;
  /** The parameter with the id. */
  param: string;
  place: ReturnType<typeof parseEventId>;
}

/** The last event that the client has. */
function lastSeenOf(ctx: Context<z.output<typeof EventsQuery>>): Seen | undefined {
  const { starting_after, cursor } = ctx.state.input;
  // A browser reconnects to the same URL, and sends its last event id in the header.
  const sent = { 'last-event-id': ctx.get('last-event-id'), starting_after, cursor };
  const [param, id] = Object.entries(sent).find(([, value]) => value) ?? [];
  return param !== undefined && id ? { id, param, place: parseEventId(id) } : undefined;
}

/** The number of that event; zero before the first. */
function startOf(seen: Seen | undefined, runId: string, log: EventLog): number {
  const after = seen ? sequenceOf(seen, runId, log.last) : 0;
  if (after + 1 < (log.first ?? log.last + 1)) throw eventExpired();
  return after;
}

function sequenceOf({ id, param, place }: Seen, runId: string, last: number): number {
  if (place?.runId === runId && place.sequence >= 1 && place.sequence <= last) return place.sequence;
  throw invalidRequest('invalid_event_id', `No event of the run '${runId}' has the id '${id.slice(0, 100)}'.`, param);
}

function pageOf<Event extends { id: string }>(events: Event[], limit: number) {
  const data = events.slice(0, limit);
  return presentPage(data, events.length > limit ? data.at(-1)!.id : null);
}
