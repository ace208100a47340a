import type { Model } from '../../db/catalog.ts';
import { costNanosOf, quantityOfMs, usdTextOf, type Quantities } from '../../db/money.ts';
import { CallAbort } from '../../providers/callAbort.ts';
import { linkedSignal } from '../../providers/linkedSignal.ts';
import type { Held } from '../../providers/provider.ts';
import type { Context } from '../context.ts';
import type { ErrorBody } from '../errors/apiError.ts';
import { refuseUnfunded } from '../guard/balance.ts';
import { runPaidCall, type PaidCall } from '../paid/paidCall.ts';
import { truncationHeaders, type Price, type Reserved } from '../paid/reserve.ts';
import type { Services } from '../services.ts';
import { shownError, watchCaller } from '../paid/watchCaller.ts';
import { decodeSound, type DecodedSound } from './decodedSound.ts';
import type { SpooledFile } from './spoolFile.ts';

/** Sound that was sent to be transcribed or converted. */
export interface SentSound {
  file: SpooledFile;
  model: Model;
  unit: 'audio_minutes' | 'audio_seconds';
  removeNoise?: boolean;
}

/** What the work on a sound is given. */
export interface AudioInput {
  held: Held;
  /** What the money pays for: all of the sound, or its beginning. */
  audio: AsyncIterable<Int16Array>;
  durationMs: number;
  /** What the answer costs and whose it is. */
  headers: Record<string, string>;
}

/** The work on one sound. */
export interface AudioWork {
  produce(input: AudioInput, abort: CallAbort): Promise<void>;
  /** See `PaidCall`. */
  present(input: AudioInput): void | Promise<void>;
  fail?(error: ErrorBody): void | Promise<void>;
  /** What of the answer has left, and to which millisecond of the sound that reaches. */
  readonly sent?: { firstByteMs: number | null; bytes: number; reachedMs: number };
}

/** Sound is decoded this far beyond what its caller can pay for, for the refusal to name its price. */
const PRICED_MS = 600_000;
// Long enough for a price without a rounding error.
const MEASURE_MS = 3_600_000;

/**
 * Works on a sound, held, metered and billed by its decoded duration. It is decoded only for an account with a balance and a key below its
 * ceiling, and the engine starts when its price is held. A client that disconnects, or whose key ends when an answer has begun, pays for what
 * the engine has been given; one whose answer breaks off because this process ends, for what was delivered; a failure bills nothing.
 */
export async function runAudioCall(
  ctx: Context,
  services: Services,
  { sound, work }: { sound: SentSound; work: AudioWork },
): Promise<void> {
  const spendableNanos = await refuseUnfunded(ctx, services);
  const decoded = await decode(ctx, services, sound, affordableMs(sound, spendableNanos) + PRICED_MS);
  try {
    await runPaidCall(ctx, services, new AudioCall(ctx, { sound, work, decoded }));
  } finally {
    await decoded.drop();
  }
}

/** Decodes the sound, and stops when its caller's call is over. */
async function decode(
  ctx: Context,
  services: Services,
  { file, removeNoise = false }: SentSound,
  lengthMaxMs: number,
): Promise<DecodedSound> {
  const abort = new CallAbort();
  const stopWatching = watchCaller(ctx, services, abort);
  try {
    return await decodeSound(file, {
      keyId: ctx.state.key.keyId,
      removeNoise,
      lengthMaxMs,
      signal: linkedSignal(abort).signal,
    });
  } catch (error) {
    if (abort.reason !== 'left') throw shownError(abort, error);
    ctx.state.log.cancelled = true;
    throw new Error('the client disconnected while its sound was decoded', { cause: error });
  } finally {
    stopWatching();
  }
}

class AudioCall implements PaidCall {
  readonly model: Model;
  readonly price: Price;
  readonly fail: PaidCall['fail'];
  readonly #ctx: Context;
  readonly #sound: SentSound;
  readonly #work: AudioWork;
  readonly #decoded: DecodedSound;
  #input: AudioInput | undefined;
  /** How much of the sound the engine has been given. */
  #fedMs = 0;

  constructor(ctx: Context, { sound, work, decoded }: { sound: SentSound; work: AudioWork; decoded: DecodedSound }) {
    this.#ctx = ctx;
    this.#sound = sound;
    this.#work = work;
    this.#decoded = decoded;
    this.model = sound.model;
    this.price = {
      wholeNanos: priceOf(sound, decoded.durationMs),
      leastNanos: priceOf(sound, 1),
      isLeastPrice: decoded.isCut,
    };
    this.fail = work.fail && ((error) => work.fail!(error));
  }

  get firstByteMs(): number | null {
    return this.#work.sent?.firstByteMs ?? null;
  }

  get streamBytes(): number {
    return this.#work.sent?.bytes ?? 0;
  }

  produce({ held, truncatedBy }: Reserved, abort: CallAbort): Promise<void> {
    const { durationMs: wholeMs } = this.#decoded;
    const paidMs = Math.floor((wholeMs * Number(held.amountNanos)) / Number(this.price.wholeNanos));
    const durationMs = truncatedBy ? paidMs : wholeMs;
    const headers = {
      'request-id': this.#ctx.state.requestId,
      'x-cost-usd': usdTextOf(priceOf(this.#sound, durationMs)),
      ...truncationHeaders(truncatedBy),
    };
    const audio = { [Symbol.asyncIterator]: () => this.#fed(this.#decoded.samples(durationMs)) };
    this.#input = { held, audio, durationMs, headers };
    return this.#work.produce(this.#input, abort);
  }

  // A second upstream is given the sound from its start again: what it is given again is not counted again.
  async *#fed(samples: AsyncIterable<Int16Array>): AsyncGenerator<Int16Array> {
    let fedSamples = 0;
    for await (const piece of samples) {
      fedSamples += piece.length;
      this.#fedMs = Math.max(this.#fedMs, Math.round(fedSamples / 16));
      yield piece;
    }
  }

  whole(): Quantities {
    return quantitiesOf(this.#sound, this.#input!.durationMs);
  }

  unbilled(): Quantities {
    return quantitiesOf(this.#sound, 0);
  }

  certain(): Quantities {
    return quantitiesOf(this.#sound, this.#fedMs);
  }

  consumed(): Quantities {
    return this.certain();
  }

  delivered(): Quantities | undefined {
    const reachedMs = Math.min(this.#input!.durationMs, Math.round(this.#work.sent?.reachedMs ?? 0));
    return reachedMs > 0 ? quantitiesOf(this.#sound, reachedMs) : undefined;
  }

  present(): void | Promise<void> {
    return this.#work.present(this.#input!);
  }
}

/** How much of a sound so much money pays for. */
const affordableMs = (sound: SentSound, nanos: bigint): number =>
  Math.floor((Number(nanos) * MEASURE_MS) / Number(priceOf(sound, MEASURE_MS)));

const quantitiesOf = ({ unit }: SentSound, durationMs: number): Quantities => ({
  [unit]: quantityOfMs(unit, durationMs),
});

const priceOf = (sound: SentSound, durationMs: number) =>
  costNanosOf(quantitiesOf(sound, durationMs), sound.model.rates);
