import type { Context } from '../context.ts';

/**
 * Sends what the handlers and guards left in `ctx.body`: text as it is, everything else as JSON; null is an answer without a body.
 * Koa's own handling follows every response with an asynchronous resource, which takes 18 us of a request more: 5 % of a chat call.
 */
export function sendAnswer(ctx: Context): void {
  const { res, body } = ctx;
  // A stream has sent its answer itself, and a client that is gone gets none.
  if (ctx.respond === false || res.writableEnded || res.destroyed) return;
  if (body === null || body === undefined) {
    res.end();
    return;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
}

/** Whole milliseconds since a request began, on the steady clock: somebody may set the other one meanwhile. */
export const elapsedMs = ({ state }: Pick<Context, 'state'>): number => Math.round(performance.now() - state.begunAtMs);

/** The status, in the books and in the log, of a request whose client left before its end. It is nginx's number; nobody is sent it. */
export const CLIENT_CLOSED_STATUS = 499;
