import type { z } from 'zod';
import { findEventIdAt, findPosition, type PlacedEvent } from '../../db/eventStreams/eventPositions.ts';
import { FEEDS_MAX, type WorkspaceFeed } from '../../db/eventStreams/followWorkspaces.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { tooManyEventStreams } from '../../base/errors/limitErrors.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import { RETENTION_DAYS } from '../../base/limits.ts';
import type { Handler } from '../context.ts';
import { watchReader } from '../guard/session.ts';
import { endWithKey, frameOf, streamFeed } from '../http/feedStream.ts';
import type { Services } from '../services.ts';
import { checkTypesRead, typesRead } from './publisherWebhooks.ts';
import { storedTypes, type EventStreamQuery } from './webhookSchema.ts';

const EVENT_ID = /^evt_[0-9A-Za-z]{1,60}$/;

/** In the place of an event's id: before the oldest event that is kept. */
const BEGINNING = '0';

/**
 * `GET /platform/v1/events/stream`: the workspace's events for webhooks, as they happen, after the event in `Last-Event-ID`, or from now
 * on. The head says after which event it begins, so that a reader that is cut off before the first one misses none. Throws 400
 * `invalid_event_id`, 410 `event_expired`, 429 `too_many_event_streams`.
 */
export function streamEvents(services: Services): Handler<z.output<typeof EventStreamQuery>> {
  const { db } = services;
  return async (ctx) => {
    const { workspaceId, keyId } = ctx.state.key;
    const asked = storedTypes(ctx.state.input.types);
    checkTypesRead(ctx, asked, 'types');
    const types = asked.length > 0 ? asked : typesRead(ctx);
    const rows = db.read(workspaceId);
    const sentId = ctx.get('last-event-id') || undefined;
    const after = sentId === undefined ? undefined : await positionOf(rows, sentId);
    const feed = await db.workspaceFollows.open(workspaceId, { after, types });
    if (!feed) throw tooManyEventStreams(FEEDS_MAX);
    const firstId = sentId ?? (await findEventIdAt(rows, feed.after).catch(closing(feed))) ?? BEGINNING;
    ctx.set('last-event-id', firstId);
    const textOf = (events: PlacedEvent[]) => events.map(frameOf).join('');
    await streamFeed(ctx, endWithKey(feed, db.keys, keyId), {
      textOf,
      watchReader: watchReader(services, ctx),
      firstId,
    });
  };
}

const closing = (feed: WorkspaceFeed) => (error: unknown) => {
  feed.close();
  throw error;
};

async function positionOf(rows: Rows, id: string): Promise<number> {
  if (id === BEGINNING) return 0;
  if (!EVENT_ID.test(id))
    throw invalidRequest('invalid_event_id', `'${id.slice(0, 100)}' in Last-Event-ID is not the id of an event.`);
  const position = await findPosition(rows, id);
  if (position === undefined) throw unknownEvent(id);
  return position;
}

const unknownEvent = (id: string) =>
  new ApiError({
    status: 410,
    code: 'event_expired',
    message:
      `There is no event '${id}' to continue after: events are kept for ${RETENTION_DAYS} days. Begin without Last-Event-ID, and read ` +
      'what you missed from GET /platform/v1/events.',
  });
