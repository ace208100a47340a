import { findEvent } from '../../db/runs/events/readEvents.ts';
import type { Handler } from '../context.ts';
import { notFound } from '../errors/requestErrors.ts';
import { pathId } from '../http/pathId.ts';
import type { Services } from '../services.ts';

/**
 * `GET /platform/v1/events/{event_id}`: one event, as its stream told it. Throws 422 `validation_error` for what is no event id, and
 * 404 `event_not_found` for one that is unknown, another workspace's, or past its retention.
 */
export function retrieveEvent({ db }: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'event_id', 'evt');
    const event = await findEvent(db.orm, ctx.state.key.workspaceId, id);
    if (!event) throw notFound(`No event with the id '${id}'.`, 'event_not_found');
    ctx.body = event;
  };
}
