import type { z } from 'zod';
import { findRequest } from '../../db/accounting/requests.ts';
import type { StoredPart } from '../../db/answers/readParts.ts';
import type { Context, Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { keyEnded } from '../../base/errors/keyErrors.ts';
import { invalidRequest, notFound } from '../../base/errors/requestErrors.ts';
import { errorFrames } from '../../calls/text/chat/choicePresenter.ts';
import { EventStream, keepAlive } from '../http/sse.ts';
import { namedRequest } from '../requests/requests.ts';
import type { Services } from '../services.ts';
import { endingOf, followAnswer, refuseUnkept } from './followAnswer.ts';
import { isEventStream, splitHead, type KeptHead } from '../http/keptHead.ts';
import type { ResumeQuery } from './resumeDocs.ts';
import { createEventNumbers, withIds } from './numberedEvents.ts';

const RETRY_MS = 1_000;
const NUMBER = /^\d{1,9}$/;

/**
 * `GET /platform/v1/requests/{request_id}/stream`: the events of a stream after the one with the number in `Last-Event-ID` or
 * `starting_after`, for ten minutes. Follows a stream that is still produced, by any process, and keeps it going although its client has
 * disconnected. A client that has everything gets 204. Throws 400 `invalid_event_id`, 404 `request_not_found`, 410 `event_expired` and
 * `stream_not_kept`.
 */
export function resumeStream(services: Services): Handler<z.output<typeof ResumeQuery>> {
  return async (ctx) => {
    const named = namedRequest(ctx);
    const after = lastSeen(ctx);
    const { workspaceId } = ctx.state.key;
    const parts = await storedParts(ctx, services, named.requestId);
    if (parts.length > 0 && !(await services.db.answers.isRecent(workspaceId, named.requestId))) throw expired();
    const kept = createKeptText(parts);
    if (kept.head && !(isEventStream(kept.head) && named.isOf(kept.head.route) && isSeen(ctx, kept.head)))
      throw noStream(ctx);
    refuseUnkept(kept.state);
    const last = kept.numbers.last();
    if (kept.isOver && after > last) throw invalidEventId(String(after));
    if (parts.at(-1)?.state === 'whole' && after === last) {
      ctx.status = 204;
      return;
    }
    await send(ctx, services, { requestId: named.requestId, after, kept, from: parts.length });
  };
}

/** Whether the stream is of a project that the caller sees. */
function isSeen({ state: { key } }: Context, { projectId }: KeptHead): boolean {
  return key.seesProjects === null || (projectId !== undefined && key.seesProjects.includes(projectId));
}

/** The number of the last event that the client has; 0 for none. */
function lastSeen(ctx: Context<z.output<typeof ResumeQuery>>): number {
  const { starting_after } = ctx.state.input;
  // A browser reconnects to the same URL, and sends its last event id in the header.
  const id = ctx.get('last-event-id') || starting_after || '0';
  if (!NUMBER.test(id)) throw invalidEventId(id);
  return Number(id);
}

/** What is stored of a stream. Throws when there is none that could be followed. */
async function storedParts(ctx: Context, { db }: Services, requestId: string): Promise<StoredPart[]> {
  const { answers } = db;
  const { workspaceId } = ctx.state.key;
  const parts = await readAll(answers, workspaceId, requestId);
  if (parts.length > 0) return parts;
  if (answers.find(workspaceId, requestId)) return [];
  const elsewhere = await answers.askFor(workspaceId, requestId);
  if (elsewhere.requestId !== undefined) return [];
  const stored = await readAll(answers, workspaceId, requestId);
  if (stored.length > 0) return stored;
  const ended = await findRequest(seenBy(db, ctx.state.key), requestId);
  throw ended && ended.firstByteMs !== null ? expired() : noStream(ctx);
}

async function readAll(
  { readParts }: Services['db']['answers'],
  workspaceId: string,
  requestId: string,
): Promise<StoredPart[]> {
  const all: StoredPart[] = [];
  for (;;) {
    const parts = await readParts(workspaceId, requestId, all.length);
    all.push(...parts);
    if (parts.length === 0 || parts.at(-1)!.state !== 'open') return all;
  }
}

/** The text of a kept stream, as numbered events. */
function createKeptText(parts: StoredPart[]) {
  const numbers = createEventNumbers();
  let head: KeptHead | undefined;
  const push = (part: StoredPart) => {
    let { bytes } = part;
    if (part.part === 0) ({ head, rest: bytes } = splitHead(bytes));
    return numbers.push(Buffer.from(bytes).toString());
  };
  const events = parts.flatMap(push);
  const isOver = parts.length > 0 && parts.at(-1)!.state !== 'open';
  return {
    numbers,
    push,
    events,
    isOver,
    get head() {
      return head;
    },
    state: parts.at(-1)?.state ?? 'open',
  };
}

async function send(
  ctx: Context,
  services: Services,
  order: { requestId: string; after: number; from: number; kept: ReturnType<typeof createKeptText> },
): Promise<void> {
  const { res, state } = ctx;
  const { requestId, after, from, kept } = order;
  let hasKeyEnded = false;
  const stopWatchingKey = services.db.keys.watch(state.key.keyId, () => (hasKeyEnded = true));
  const isOver = () => res.destroyed || hasKeyEnded || services.shutdown.hasBegun();
  const out = new EventStream(ctx, `retry: ${RETRY_MS}\n`);
  const stopKeepAlive = keepAlive(res, () => out);
  const write = (events: typeof kept.events) => out.write(withIds(events.filter(({ number }) => number > after)));
  let ended = kept.state;
  try {
    await write(kept.events);
    if (!kept.isOver && ctx.method !== 'HEAD') {
      const followed = { workspaceId: state.key.workspaceId, requestId, from, isOver };
      for await (const parts of followAnswer(services, followed)) {
        const events = parts.flatMap(kept.push);
        // The first part of a stream that had stored none is seen only here.
        if (kept.head && !isSeen(ctx, kept.head)) break;
        await write(events);
        ended = parts.at(-1)!.state;
      }
    }
  } finally {
    stopKeepAlive();
    stopWatchingKey();
  }
  // A stream that could not be read is cut off instead: its reader resumes.
  const isSilent = isOver() || ctx.method === 'HEAD';
  const ending = () => (isSilent ? '' : endingOf(ended, kept.head, kept.numbers.last()));
  out.end(hasKeyEnded ? errorFrames(keyEnded().body) : ending());
}

const invalidEventId = (id: string) =>
  invalidRequest(
    'invalid_event_id',
    `'${id.slice(0, 100)}' is not the number of an event of this stream: send how many events you have, as Last-Event-ID or starting_after.`,
    'starting_after',
  );

const noStream = (ctx: Context) =>
  notFound(`No stream of a request with the id '${ctx.state.params.request_id!}'.`, 'request_not_found');

const expired = () =>
  new ApiError({
    status: 410,
    code: 'event_expired',
    message: 'The events of this stream are kept for 10 minutes, and these are no longer there.',
  });
