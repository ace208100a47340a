import type { Model } from '../../db/catalog/catalog.ts';
import { costNanosOf, quantityOfMs, type Quantities } from '../../db/money.ts';
import { CallAbort, linkedSignal } from '../../providers/callAbort.ts';
import type { Held } from '../../providers/provider.ts';
import { inPart } from '../audio/audioError.ts';
import type { SpooledFile } from './spoolFile.ts';
import type { Caller } from '../caller.ts';
import { refuseUnfunded } from '../funds.ts';
import { CountedCall } from '../countedCall.ts';
import type { Delivery } from '../delivery.ts';
import { ClientLeft } from '../errors/clientLeft.ts';
import { runPaidCall } from '../paidCall.ts';
import type { Price, Priced, Reserved } from '../reserve.ts';
import { shownError, watchCaller } from '../watchCaller.ts';
import type { CallServices } from '../services.ts';
import { decodeSound, type DecodedSound } from './decodedSound.ts';

/** Audio that a caller sent to be transcribed or converted. */
export interface SentSound {
  file: SpooledFile;
  model: Model;
  unit: 'audio_minutes' | 'audio_seconds';
  /** The part of the form that it was sent in; `file` when left out. */
  part?: string;
  removeNoise?: boolean;
}

/** The input of the work: the whole audio, or the beginning that the money covers. */
export interface AudioInput extends Priced {
  held: Held;
  audio: AsyncIterable<Int16Array>;
  durationMs: number;
}

/** The work on one audio input: how its answer is produced, see `PaidCall`. */
export interface AudioWork<Answer, To extends Delivery<Answer> = Delivery<Answer>> {
  produce(input: AudioInput, abort: CallAbort, to: To): Promise<Answer>;
  /** Milliseconds of the input that the sent part of the answer covers. */
  readonly reachedMs?: number;
}

/** Decodes this much more than the caller can pay for, so that the refusal can name the price. */
const PRICED_MS = 600_000;
// Long enough for a price without a rounding error.
const MEASURE_MS = 3_600_000;

/**
 * Transcribes or converts audio, held, metered and billed by its decoded duration. Audio is decoded only for an account with a balance and
 * a key below its ceiling, and the engine starts when its price is held. A client that disconnects, or whose key ends during the answer,
 * pays for what the engine received. When this process shuts down, the caller pays for what was delivered. A failure bills nothing.
 */
export async function runAudioCall<Answer, To extends Delivery<Answer>>(
  caller: Caller,
  services: CallServices,
  { sound, work, to }: { sound: SentSound; work: AudioWork<Answer, To>; to: To },
): Promise<void> {
  const spendableNanos = await refuseUnfunded(caller, services);
  const decoded = await decode(caller, services, sound, affordableMs(sound, spendableNanos) + PRICED_MS);
  try {
    await runPaidCall(caller, services, new AudioCall(sound, decoded, work), to);
  } finally {
    await decoded.drop();
  }
}

/** Decodes the audio; stops when the call ends. */
async function decode(
  caller: Caller,
  services: CallServices,
  { file, removeNoise = false, part = 'file' }: SentSound,
  lengthMaxMs: number,
): Promise<DecodedSound> {
  const abort = new CallAbort();
  const stopWatching = watchCaller(caller, services, abort);
  const { keyId } = caller.key;
  try {
    return await decodeSound(file, { keyId, removeNoise, lengthMaxMs, signal: linkedSignal(abort).signal });
  } catch (error) {
    if (abort.reason !== 'left') throw inPart(shownError(abort, error), part);
    caller.log.cancelled = true;
    throw new ClientLeft('the client disconnected while its sound was decoded', { cause: error });
  } finally {
    stopWatching();
  }
}

class AudioCall<Answer, To extends Delivery<Answer>> extends CountedCall<Answer, To> {
  readonly model: Model;
  readonly price: Price;
  readonly #sound: SentSound;
  readonly #decoded: DecodedSound;
  readonly #work: AudioWork<Answer, To>;
  /** How much of it is worked on. */
  #durationMs = 0;

  constructor(sound: SentSound, decoded: DecodedSound, work: AudioWork<Answer, To>) {
    super();
    this.#sound = sound;
    this.#decoded = decoded;
    this.#work = work;
    this.model = sound.model;
    this.price = {
      wholeNanos: priceOf(sound, decoded.durationMs),
      leastNanos: priceOf(sound, 1),
      isLeastPrice: decoded.isCut,
    };
  }

  produce({ held, truncatedBy }: Reserved, abort: CallAbort, to: To): Promise<Answer> {
    const { durationMs: wholeMs } = this.#decoded;
    const paidMs = Math.floor((wholeMs * Number(held.amountNanos)) / Number(this.price.wholeNanos));
    const durationMs = truncatedBy ? paidMs : wholeMs;
    this.#durationMs = durationMs;
    const audio = { [Symbol.asyncIterator]: () => this.#given(durationMs) };
    const costNanos = priceOf(this.#sound, durationMs);
    return this.#work.produce({ held, audio, durationMs, costNanos, truncatedBy }, abort, to);
  }

  // A fallback upstream receives the audio from its start; repeated parts are not counted again.
  async *#given(durationMs: number): AsyncGenerator<Int16Array> {
    let samples = 0;
    for await (const piece of this.#decoded.samples(durationMs)) {
      samples += piece.length;
      this.counted = Math.max(this.counted, Math.round(samples / 16));
      yield piece;
    }
  }

  protected billed(ms: number): Quantities {
    return quantitiesOf(this.#sound, ms);
  }

  override whole(): Quantities {
    return this.billed(this.#durationMs);
  }

  delivered(): Quantities | undefined {
    const reachedMs = Math.min(this.#durationMs, Math.round(this.#work.reachedMs ?? 0));
    return reachedMs > 0 ? this.billed(reachedMs) : undefined;
  }
}

/** The duration of audio that this much money pays for. */
const affordableMs = (sound: SentSound, nanos: bigint): number =>
  Math.floor((Number(nanos) * MEASURE_MS) / Number(priceOf(sound, MEASURE_MS)));

const quantitiesOf = ({ unit }: SentSound, durationMs: number): Quantities => ({
  [unit]: quantityOfMs(unit, durationMs),
});

const priceOf = (sound: SentSound, durationMs: number) =>
  costNanosOf(quantitiesOf(sound, durationMs), sound.model.rates);
