import type { Bill } from '../../db/ledger.ts';
import { CLIENT_CLOSED_STATUS, elapsedMs } from '../http/answer.ts';
import { CallAbort } from '../../providers/callAbort.ts';
import type { Json, Usage } from '../../providers/provider.ts';
import type { Context } from '../context.ts';
import { asApiError } from '../guard/errors.ts';
import { placeHold } from '../guard/balance.ts';
import type { Services } from '../services.ts';
import { openSse, type SseWriter } from '../stream/sse.ts';
import { isPaidInPart, shownError, watchCaller } from '../stream/watchCaller.ts';
import { abandon, billOf, ZERO_USAGE } from './answerOnce.ts';
import { meterCall, openUpstream, readMetered, type MeteredCall } from './meteredCall.ts';
import type { StreamPresenter } from './presenter.ts';
import { firstStepNanos, leastNanos, smallStepNanos, type TextCall } from './textCall.ts';

// As in the streams of runs.
const KEEP_ALIVE_MS = 10_000;
// A stream whose bill is not on disk by then ends with an error, and is not billed.
const SETTLE_LIMIT_MS = 10_000;

interface Stream {
  ctx: Context;
  services: Services;
  metered: MeteredCall;
  firstByteMs: number | null;
  out: SseWriter | undefined;
}

/**
 * A streamed answer of a text model, held, metered and billed. The hold grows with the output; when it can't, the stream ends
 * cleanly. A failure before the first byte is thrown; later ones go into the stream; neither bills. A client that leaves pays for the
 * prompt and what was produced, and so does one whose key is revoked in mid-stream. The bill is on disk before the last frame leaves.
 */
export async function answerStream(
  ctx: Context,
  services: Services,
  call: TextCall,
  presenter: StreamPresenter,
): Promise<void> {
  const wholeNanos = firstStepNanos(call);
  const hold = await placeHold(ctx, services, smallStepNanos(call), { wholeNanos, needNanos: leastNanos(call) });
  if (ctx.res.destroyed) throw abandon(ctx, services, call, hold);
  const abort = new CallAbort();
  const stream: Stream = { ctx, services, metered: meterCall(call, hold, abort), firstByteMs: null, out: undefined };
  const stopWatching = watchCaller(ctx, services, abort, hold);
  const beating = setInterval(keepAlive, KEEP_ALIVE_MS, stream, presenter);
  let usage: Usage;
  try {
    await forward(stream, await openUpstream(stream.metered, services.textProviders.of(call.model)), presenter);
    usage = await stream.metered.meter.final();
  } catch (error) {
    stopWatching();
    if (abort.reason === 'left') return billLeft(stream);
    return await endEarly(stream, presenter, shownError(abort, error));
  } finally {
    clearInterval(beating);
  }
  stopWatching();
  await finish(stream, presenter, usage);
}

/** The stream's head leaves with its first chunk, or before it with a comment; from then on Koa has nothing to answer. */
function openOut(stream: Stream, presenter: StreamPresenter): SseWriter {
  stream.ctx.respond = false;
  return (stream.out ??= openSse(stream.ctx.res, presenter.start()));
}

/** A client that hears nothing for long gives up, and so do proxies: a model may think for minutes before its first word. */
function keepAlive(stream: Stream, presenter: StreamPresenter): void {
  const { res } = stream.ctx;
  if (!res.destroyed && res.writableLength === 0) void openOut(stream, presenter).write(': keep-alive\n\n');
}

async function forward(stream: Stream, chunks: AsyncIterable<Json[]>, presenter: StreamPresenter): Promise<void> {
  const { ctx, services, metered } = stream;
  const { hold, meter } = metered;
  const out = openOut(stream, presenter);
  services.db.ledger.follow(hold, ctx.state.requestId, () => billNow(stream, meter.certain()), meter.countCertain);
  await readMetered(metered, chunks, (read) => {
    stream.firstByteMs ??= elapsedMs(ctx);
    return out.write(presenter.push(read));
  });
}

/** Bills what was delivered, then says how the stream ended. */
async function finish(stream: Stream, presenter: StreamPresenter, usage: Usage): Promise<void> {
  try {
    await settleInTime(stream, billNow(stream, usage));
  } catch (error) {
    return endWithError(stream, presenter, error);
  }
  stream.out!.end(presenter.end({ usage, cutShort: stream.metered.abort.aborted }));
}

/** Ends a stream that broke. Throws `error` when nothing has left yet. */
async function endEarly(stream: Stream, presenter: StreamPresenter, error: unknown): Promise<void> {
  const { ctx, services, metered, firstByteMs } = stream;
  const { abort, meter, hold } = metered;
  // Whoever has a part of an answer pays for it: it is whole but for its length.
  if (abort.reason === 'shutdown' && meter.soFar().outputTokens > 0)
    return finish(stream, presenter, await meter.final());
  const { status } = asApiError(error, ctx.state.requestId);
  // What was refused has failed. A part of an answer is paid for, or revoking a key would make its streams free.
  if (isPaidInPart(abort) && firstByteMs !== null) await billPart(stream, status);
  else await services.db.ledger.fail(hold, { ...billNow(stream, ZERO_USAGE), status });
  if (!stream.out) throw error;
  endWithError(stream, presenter, error);
}

function endWithError({ ctx, out }: Stream, presenter: StreamPresenter, error: unknown): void {
  ctx.state.log.error = error;
  out!.end(presenter.fail(asApiError(error, ctx.state.requestId).body));
}

async function billLeft(stream: Stream): Promise<void> {
  const bill = billNow(stream, await stream.metered.meter.final());
  const { ctx, services, metered } = stream;
  ctx.state.log.cancelled = true;
  const written = { ...bill, status: CLIENT_CLOSED_STATUS, cancelled: true };
  ctx.state.log.costNanos = await services.db.ledger.settle(metered.hold, written);
}

async function billPart(stream: Stream, status: number): Promise<void> {
  const bill = billNow(stream, await stream.metered.meter.final());
  // The client is told of the error in any case.
  await settleInTime(stream, { ...bill, status, cancelled: true }).catch(() => {});
}

// What is not on the disk in time is taken back: a kill would lose it.
async function settleInTime({ ctx, services, metered }: Stream, bill: Bill): Promise<void> {
  ctx.state.log.costNanos = await services.db.ledger.settleWithin(SETTLE_LIMIT_MS, metered.hold, bill);
}

function billNow({ ctx, metered, firstByteMs, out }: Stream, usage: Usage): Bill {
  return { ...billOf(ctx, metered.call, usage, 200), firstByteMs, streamBytes: out?.bytes() ?? 0 };
}
