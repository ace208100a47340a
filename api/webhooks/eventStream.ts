import type { z } from 'zod';
import { findPosition } from '../../db/eventStreams/eventPositions.ts';
import { FEEDS_MAX } from '../../db/eventStreams/followWorkspaces.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { tooManyEventStreams } from '../../base/errors/limitErrors.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import { RETENTION_DAYS } from '../../base/limits.ts';
import type { Context, Handler } from '../context.ts';
import { endWithKey, frameOf, streamFeed } from '../http/feedStream.ts';
import type { Services } from '../services.ts';
import { checkTypesRead, typesRead } from './publisherWebhooks.ts';
import { storedTypes, type EventStreamQuery } from './webhookSchema.ts';

const EVENT_ID = /^evt_[0-9A-Za-z]{1,60}$/;

/**
 * `GET /platform/v1/events/stream`: the workspace's events for webhooks, as they happen, after the event in `Last-Event-ID`, or from now
 * on. Throws 400 `invalid_event_id`, 410 `event_expired`, 429 `too_many_event_streams`.
 */
export function streamEvents({ db }: Services): Handler<z.output<typeof EventStreamQuery>> {
  return async (ctx) => {
    const { workspaceId, keyId } = ctx.state.key;
    const asked = storedTypes(ctx.state.input.types);
    checkTypesRead(ctx, asked, 'types');
    const types = asked.length > 0 ? asked : typesRead(ctx);
    const feed = await db.workspaceFollows.open(workspaceId, { after: await startOf(ctx, db), types });
    if (!feed) throw tooManyEventStreams(FEEDS_MAX);
    await streamFeed(ctx, endWithKey(feed, db.keys, keyId), { textOf: (events) => events.map(frameOf).join('') });
  };
}

/** The position of the last event that the client has; undefined without one. */
async function startOf(ctx: Context, db: Services['db']): Promise<number | undefined> {
  const id = ctx.get('last-event-id');
  if (id === '') return undefined;
  if (!EVENT_ID.test(id))
    throw invalidRequest('invalid_event_id', `'${id.slice(0, 100)}' in Last-Event-ID is not the id of an event.`);
  const position = await findPosition(db.read(ctx.state.key.workspaceId), id);
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
