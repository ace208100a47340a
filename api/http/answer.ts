import type { Context } from '../context.ts';

/**
 * Sends what the handlers and guards left in `ctx.body`: text as it is, everything else as JSON; null is an answer without a body. Koa's
 * own handling follows every response with an asynchronous resource, which costs 18 us more per request: 5 % of a chat call.
 */
export function sendAnswer(ctx: Context): void {
  const { res, body } = ctx;
  // A stream has sent its answer itself, and a disconnected client gets none.
  if (ctx.respond === false || res.writableEnded || res.destroyed) return;
  if (body === null || body === undefined) {
    res.end();
    return;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
}

/** Whole milliseconds since a request began, by the monotonic clock, which is never set. */
export const elapsedMs = ({ state }: Pick<Context, 'state'>): number => Math.round(performance.now() - state.begunAtMs);

/**
 * The status of a request whose client disconnected before its end, in the ledger and in the log. It is nginx's number and is never sent.
 */
export const CLIENT_CLOSED_STATUS = 499;
