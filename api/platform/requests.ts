import { findRequest, type EndedRequest } from '../../db/ledger/ledgerEntries.ts';
import { usdOf } from '../../db/money.ts';
import { findEvent } from '../../db/runs/events/readEvents.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import { notFound, validationError } from '../errors/requestErrors.ts';
import type { Services } from '../services.ts';
import type { EndedCall } from './platformDocs.ts';
import type { z } from 'zod';

const REQUEST_ID = /^req_[0-9A-Za-z]{1,60}$/;

/**
 * `GET /platform/v1/requests/{request_id}`: a call and its cost, from the end of its answer.
 * Throws 404 `request_not_found` for an id that is unknown, another workspace's, or of a call that still runs.
 */
export function retrieveRequest({ db }: Services): Handler {
  return async (ctx) => {
    const id = ctx.state.params.request_id!;
    if (!REQUEST_ID.test(id)) throw malformedId();
    await db.ledger.posted();
    const request = await findRequest(db.read(ctx.state.key.workspaceId), id);
    if (!request) throw notFound(`No ended request with the id '${id}'.`, 'request_not_found');
    ctx.body = presentRequest(request);
  };
}

const malformedId = () =>
  validationError([
    { loc: ['path', 'request_id'], msg: 'A request id is req_ and letters and digits.', type: 'value_error' },
  ]);

function presentRequest(request: EndedRequest): z.infer<typeof EndedCall> {
  return {
    id: request.id,
    route: request.route,
    model: request.model,
    status: request.status,
    cancelled: request.cancelled,
    usage: Object.entries(request.usage).map(([unit, quantity]) => ({ unit, quantity })),
    cost_usd: usdOf(request.costNanos),
    hold_usd: usdOf(request.holdNanos),
    started_at: request.startedAt.toISOString(),
    first_byte_ms: request.firstByteMs,
    duration_ms: request.durationMs,
    stream_bytes: request.streamBytes,
    ledger_entry_ids: request.ledgerEntryIds,
  };
}

/**
 * `GET /platform/v1/events/{event_id}`: one event, as its stream sent it. Throws 422 `validation_error` for a malformed id, and
 * 404 `event_not_found` for one that is unknown, another workspace's, or past its retention.
 */
export function retrieveEvent({ db }: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'event_id');
    const event = await findEvent(db.read(ctx.state.key.workspaceId), id);
    if (!event) throw notFound(`No event with the id '${id}'.`, 'event_not_found');
    ctx.body = event;
  };
}
