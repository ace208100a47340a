import type { Bill, Hold } from '../../db/ledger.ts';
import { CLIENT_CLOSED_STATUS } from '../http/clientClosedStatus.ts';
import { costNanosOf } from '../../db/money.ts';
import { CallAbort } from '../../providers/callAbort.ts';
import type { Json, Usage } from '../../providers/provider.ts';
import type { Context } from '../context.ts';
import { elapsedMs } from '../http/elapsedMs.ts';
import { asApiError } from '../guard/errors.ts';
import { placeHold } from '../guard/balance.ts';
import type { Services } from '../services.ts';
import { openSse, type SseWriter } from '../stream/sse.ts';
import { shownError, watchCaller } from '../stream/watchCaller.ts';
import { abandon, billOf, NOTHING } from './answerOnce.ts';
import type { StreamPresenter } from './presenter.ts';
import { createStreamMeter, type StreamMeter } from './streamMeter.ts';
import { coveredUsageOf, firstStepNanos, leastNanos, nextStepNanos, quantitiesOf, type TextCall } from './textCall.ts';

// As in the streams of runs.
const KEEP_ALIVE_MS = 10_000;
// After this the end of the stream no longer waits for its bill, which is written as soon as the database can.
const SETTLE_WAIT_MS = 10_000;

interface Stream {
  ctx: Context;
  services: Services;
  call: TextCall;
  hold: Hold;
  meter: StreamMeter;
  /** Aborted when the client leaves, when its key ends, or to cut the stream: its hold can't grow, or the model does not end. */
  abort: CallAbort;
  /** What the hold covered when it was last looked at. */
  coveredUsage: Usage;
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
  const hold = await placeHold(ctx, services, firstStepNanos(call), { needNanos: leastNanos(call) });
  if (ctx.res.destroyed) throw abandon(ctx, services, call, hold);
  const meter = createStreamMeter(call);
  const stream: Stream = {
    ctx,
    services,
    call,
    hold,
    meter,
    abort: new CallAbort(),
    coveredUsage: coveredUsageOf(call, hold.amountNanos, meter.soFar().inputTokens),
    firstByteMs: null,
    out: undefined,
  };
  const stopWatching = watchCaller(ctx, services, stream.abort);
  const beating = setInterval(keepAlive, KEEP_ALIVE_MS, stream, presenter);
  try {
    const chunks = await openUpstream(stream);
    await forward(stream, chunks, presenter);
    stopWatching();
    await finish(stream, presenter);
  } catch (error) {
    stopWatching();
    if (stream.abort.reason === 'left') return billLeft(stream);
    const shown = shownError(stream.abort, error);
    const { status, body } = asApiError(shown, ctx.state.requestId);
    // What was refused has failed; whoever had a part of an answer pays for it, or revoking a key would make its streams free.
    if (stream.abort.reason === 'revoked' && stream.firstByteMs !== null) await billPart(stream, status);
    else await services.db.ledger.fail(hold, { ...billNow(stream, NOTHING), status });
    if (!stream.out) throw shown;
    ctx.state.log.error = shown;
    stream.out.end(presenter.fail(body));
  } finally {
    clearInterval(beating);
  }
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

function openUpstream({ call, services, abort }: Stream): Promise<AsyncIterable<Json[]>> {
  // Usage is always asked for: it is what the bill is made of. The presenter hides it from who did not ask.
  const options = { ...(call.body.stream_options as Json | undefined), include_usage: true };
  return services.textProviders
    .of(call.model)
    .stream(call.path, { ...call.body, stream: true, stream_options: options }, abort);
}

async function forward(stream: Stream, chunks: AsyncIterable<Json[]>, presenter: StreamPresenter): Promise<void> {
  const { ctx, services, hold, meter, abort } = stream;
  const out = openOut(stream, presenter);
  services.db.ledger.follow(hold, ctx.state.requestId, () => billNow(stream, meter.certain()), meter.countCertain);
  for await (const read of chunks) {
    stream.firstByteMs ??= elapsedMs(ctx);
    meter.observe(read);
    const full = out.write(presenter.push(read));
    if (full) await full;
    if (isWithin(stream) || ((await covers(stream)) && !(await meter.isPastLimit()))) continue;
    abort.abort('cut');
    return;
  }
  if (abort.aborted) throw abort.reason;
}

// Most reads need no more than this comparison: no price, no wait.
function isWithin({ meter, coveredUsage }: Stream): boolean {
  const { inputTokens, outputTokens } = meter.soFar();
  return inputTokens <= coveredUsage.inputTokens && outputTokens < coveredUsage.outputTokens;
}

// Grown ahead of need: a quarter of a step before what was produced meets the hold.
async function covers(stream: Stream): Promise<boolean> {
  const { call, hold, meter } = stream;
  const priceOf = (usage: Usage) => costNanosOf(quantitiesOf(call.model, usage), call.model.rates);
  const accruedNanos = priceOf(meter.soFar());
  const stepNanos = nextStepNanos(call);
  if (accruedNanos + stepNanos / 4n < hold.amountNanos) return true;
  if ((await hold.grow(stepNanos)) > 0n) {
    stream.coveredUsage = coveredUsageOf(call, hold.amountNanos, meter.soFar().inputTokens);
    return true;
  }
  // An estimate grows a hold; only a count ends a stream.
  return accruedNanos < hold.amountNanos || priceOf(await meter.final()) < hold.amountNanos;
}

async function finish(stream: Stream, presenter: StreamPresenter): Promise<void> {
  const cutShort = stream.abort.reason === 'cut';
  const usage = await stream.meter.final();
  await settleInTime(stream, billNow(stream, usage));
  stream.out!.end(presenter.end({ usage, cutShort }));
}

async function billLeft(stream: Stream): Promise<void> {
  const bill = billNow(stream, await stream.meter.final());
  stream.ctx.state.log.cancelled = true;
  await settle(stream, { ...bill, status: CLIENT_CLOSED_STATUS, cancelled: true });
}

async function billPart(stream: Stream, status: number): Promise<void> {
  const bill = billNow(stream, await stream.meter.final());
  await settleInTime(stream, { ...bill, status, cancelled: true });
}

async function settleInTime(stream: Stream, bill: Bill): Promise<void> {
  const impatience = new Promise((resolve) => setTimeout(resolve, SETTLE_WAIT_MS).unref());
  await Promise.race([settle(stream, bill), impatience]);
}

async function settle(stream: Stream, bill: Bill): Promise<void> {
  stream.ctx.state.log.costNanos = await stream.services.db.ledger.settle(stream.hold, bill);
}

function billNow({ ctx, call, firstByteMs, out }: Stream, usage: Usage): Bill {
  return { ...billOf(ctx, call, usage, 200), firstByteMs, streamBytes: out?.bytes() ?? 0 };
}
