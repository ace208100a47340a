import type { Model } from '../../db/catalog.ts';
import type { Bill } from '../../db/ledger.ts';
import { costNanosOf, quantityOfMs, usdTextOf, type Quantities } from '../../db/money.ts';
import { CallAbort } from '../../providers/callAbort.ts';
import { billNow } from '../bill.ts';
import { CLIENT_CLOSED_STATUS, elapsedMs } from '../http/answer.ts';
import type { Context } from '../context.ts';
import { refuseUnfunded } from '../guard/balance.ts';
import { asApiError } from '../guard/errors.ts';
import type { Services } from '../services.ts';
import { endWhenLost, isPaidInPart, shownError, watchCaller } from '../stream/watchCaller.ts';
import { decodeSound, type DecodedSound } from './decodedSound.ts';
import { holdPrice, truncationHeaders, type PricedHold } from './holdPrice.ts';
import { settleInTime, settleUnsent } from './settling.ts';
import type { SpooledFile } from './spoolFile.ts';

/** Sound that was sent to be transcribed or converted. */
export interface SentSound {
  file: SpooledFile;
  model: Model;
  unit: 'audio_minutes' | 'audio_seconds';
  removeNoise?: boolean;
}

/** What the work on a sound is given. */
export interface AudioCall {
  /** What the money pays for: all of it, or its beginning. */
  audio: AsyncIterable<Int16Array>;
  durationMs: number;
  abort: CallAbort;
  /** Puts the bill of the whole on the ledger: before the last byte of an answer. Sets `x-cost-usd` where that can still be said. */
  settle(): Promise<void>;
  /** Tells what the answer cost and whose it is, in headers. */
  setHeaders(): void;
  /** Counts what of the answer has left: its bytes, and to which millisecond of the sound they reach. */
  sent(bytes: number, reachedMs: number): void;
}

/** Sound is decoded this far beyond what its caller can pay for, for the refusal to name its price. */
const PRICED_MS = 600_000;
// Long enough for a price without a rounding error.
const MEASURE_MS = 3_600_000;

interface Heard {
  ctx: Context;
  services: Services;
  sound: SentSound;
  priced: PricedHold;
  /** How much of it is paid for. */
  durationMs: number;
  fedMs: number;
  deliveredMs: number;
  firstByteMs: number | null;
  bytes: number;
  isSettled: boolean;
}

/**
 * Works on a sound, held, metered and billed by its decoded duration. It is decoded only for an account with a balance and a key below its
 * ceiling, and the engine starts when its price is held. A client that disconnects, or whose key ends when an answer has begun, pays for what
 * the engine has been given; one whose answer breaks off because this process ends, for what was delivered; a failure bills nothing. `work` settles and answers; what it throws is told to the caller, unless an answer has begun: then
 * `onBroken` ends that.
 */
export async function runAudioCall(
  ctx: Context,
  services: Services,
  {
    sound,
    work,
    onBroken,
  }: {
    sound: SentSound;
    work: (call: AudioCall) => Promise<void>;
    onBroken?: (error: ReturnType<typeof asApiError>) => void;
  },
): Promise<void> {
  const spendableNanos = await refuseUnfunded(ctx, services);
  const abort = new CallAbort();
  const stopWatching = watchCaller(ctx, services, abort);
  let decoded: DecodedSound | undefined;
  let heard: Heard | undefined;
  try {
    decoded = await decodeSound(sound.file, {
      keyId: ctx.state.key.keyId,
      removeNoise: sound.removeNoise ?? false,
      lengthMaxMs: affordableMs(sound, spendableNanos) + PRICED_MS,
      signal: signalOf(abort),
    });
    const begun = await reserve(ctx, services, sound, decoded);
    heard = begun;
    endWhenLost(begun.priced.hold, abort);
    if (abort.aborted) throw abort.reason;
    const { durationMs } = begun;
    services.db.ledger.follow(begun.priced.hold, ctx.state.requestId, () => billOf(begun, begun.fedMs, 200));
    const audio = fed(begun, decoded.samples(durationMs));
    await work({ audio, durationMs, abort, ...answering(begun, stopWatching) });
  } catch (error) {
    stopWatching();
    if (heard) await endEarly(heard, abort, error, onBroken);
    else if (abort.reason === 'left') ctx.state.log.cancelled = true;
    else throw shownError(abort, error);
  } finally {
    await decoded?.drop();
  }
}

/** Sets the price of the sound aside, or with the caller's leave of its beginning. */
async function reserve(
  ctx: Context,
  services: Services,
  sound: SentSound,
  { durationMs: wholeMs, isCut }: DecodedSound,
): Promise<Heard> {
  const priceNanos = priceOf(sound, wholeMs);
  const priced = await holdPrice(ctx, services, { priceNanos, leastNanos: priceOf(sound, 1), isLeastPrice: isCut });
  const paidMs = Math.floor((wholeMs * Number(priced.hold.amountNanos)) / Number(priceNanos));
  const durationMs = priced.truncatedBy ? paidMs : wholeMs;
  return {
    ctx,
    services,
    sound,
    priced,
    durationMs,
    fedMs: 0,
    deliveredMs: 0,
    firstByteMs: null,
    bytes: 0,
    isSettled: false,
  };
}

/** How much of a sound so much money pays for. */
const affordableMs = (sound: SentSound, nanos: bigint): number =>
  Math.floor((Number(nanos) * MEASURE_MS) / Number(priceOf(sound, MEASURE_MS)));

function answering(heard: Heard, stopWatching: () => void) {
  const { ctx, services, priced, sound, durationMs } = heard;
  return {
    settle: async () => {
      stopWatching();
      heard.isSettled = true;
      const settle = ctx.res.headersSent ? settleInTime : settleUnsent;
      await settle(ctx, services, priced.hold, billOf(heard, durationMs, 200));
    },
    setHeaders: () => {
      ctx.set('request-id', ctx.state.requestId);
      ctx.set('x-cost-usd', usdTextOf(priceOf(sound, durationMs)));
      ctx.set(truncationHeaders(priced));
    },
    sent: (bytes: number, reachedMs: number) => {
      heard.firstByteMs ??= elapsedMs(ctx);
      heard.bytes += bytes;
      heard.deliveredMs = Math.min(durationMs, Math.max(heard.deliveredMs, Math.round(reachedMs)));
    },
  };
}

// What it is asked for again, after a first upstream that could not, is not counted again.
function fed(heard: Heard, samples: AsyncIterable<Int16Array>): AsyncIterable<Int16Array> {
  return {
    async *[Symbol.asyncIterator]() {
      let fedSamples = 0;
      for await (const piece of samples) {
        fedSamples += piece.length;
        heard.fedMs = Math.max(heard.fedMs, Math.round(fedSamples / 16));
        yield piece;
      }
    },
  };
}

async function endEarly(
  heard: Heard,
  abort: CallAbort,
  error: unknown,
  onBroken: ((error: ReturnType<typeof asApiError>) => void) | undefined,
): Promise<void> {
  const { ctx, services } = heard;
  const { hold } = heard.priced;
  const shown = asApiError(shownError(abort, error), ctx.state.requestId);
  if (heard.isSettled) throw error;
  if (abort.reason === 'left') {
    ctx.state.log.cancelled = true;
    const bill = { ...billOf(heard, heard.fedMs, CLIENT_CLOSED_STATUS), cancelled: true };
    return settleInTime(ctx, services, hold, bill);
  }
  // A refusal is free. A delivered part is paid for: all that the engine was given, or what has left when it is this process that ends.
  const paidMs = abort.reason === 'shutdown' ? heard.deliveredMs : heard.fedMs;
  if ((isPaidInPart(abort) || abort.reason === 'shutdown') && ctx.res.headersSent && paidMs > 0)
    await settleInTime(ctx, services, hold, { ...billOf(heard, paidMs, shown.status), cancelled: true });
  else await services.db.ledger.fail(hold, billOf(heard, 0, shown.status));
  if (!ctx.res.headersSent || !onBroken) throw abort.aborted ? shown : error;
  ctx.state.log.error = error;
  onBroken(shown);
}

function billOf({ ctx, sound, firstByteMs, bytes }: Heard, durationMs: number, status: number): Bill {
  const bill = billNow(ctx, { model: sound.model, quantities: quantitiesOf(sound, durationMs), status });
  return { ...bill, firstByteMs, streamBytes: bytes };
}

const quantitiesOf = ({ unit }: SentSound, durationMs: number): Quantities => ({
  [unit]: quantityOfMs(unit, durationMs),
});

const priceOf = (sound: SentSound, durationMs: number) =>
  costNanosOf(quantitiesOf(sound, durationMs), sound.model.rates);

function signalOf(abort: CallAbort): AbortSignal {
  const controller = new AbortController();
  if (abort.aborted) controller.abort(abort.reason);
  else abort.addEventListener('abort', { handleEvent: () => controller.abort(abort.reason) });
  return controller.signal;
}
