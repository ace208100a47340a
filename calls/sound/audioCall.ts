import type { Model } from '../../db/catalog/catalog.ts';
import { costNanosOf, quantityOfMs, type Quantities } from '../../db/money.ts';
import { CallAbort, linkedSignal } from '../../providers/callAbort.ts';
import type { Held } from '../../providers/provider.ts';
import type { SpooledFile } from './spoolFile.ts';
import type { Context } from '../../api/context.ts';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import { refuseUnfunded } from '../funds.ts';
import { CountedCall } from '../countedCall.ts';
import { runPaidCall, type PaidCall } from '../paidCall.ts';
import type { Price, Priced, Reserved } from '../reserve.ts';
import { shownError, watchCaller } from '../watchCaller.ts';
import type { Services } from '../../api/services.ts';
import { decodeSound, type DecodedSound } from './decodedSound.ts';

/** Audio that a caller sent to be transcribed or converted. */
export interface SentSound {
  file: SpooledFile;
  model: Model;
  unit: 'audio_minutes' | 'audio_seconds';
  removeNoise?: boolean;
}

/** The input of the work: the whole audio, or the beginning that the money covers. */
export interface AudioInput extends Priced {
  held: Held;
  audio: AsyncIterable<Int16Array>;
  durationMs: number;
}

/** The work on one audio input: how its answer is produced and presented, see `PaidCall`. */
export interface AudioWork {
  produce(input: AudioInput, abort: CallAbort): Promise<void>;
  present(input: AudioInput): void | Promise<void>;
  fail?(error: ErrorBody): void | Promise<void>;
  readonly setsBody?: boolean;
  readonly sent?: PaidCall['sent'];
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
export async function runAudioCall(
  ctx: Context,
  services: Services,
  { sound, work }: { sound: SentSound; work: AudioWork },
): Promise<void> {
  const spendableNanos = await refuseUnfunded(ctx, services);
  const decoded = await decode(ctx, services, sound, affordableMs(sound, spendableNanos) + PRICED_MS);
  try {
    await runPaidCall(ctx, services, new AudioCall(sound, decoded, work));
  } finally {
    await decoded.drop();
  }
}

/** Decodes the audio; stops when the call ends. */
async function decode(
  ctx: Context,
  services: Services,
  { file, removeNoise = false }: SentSound,
  lengthMaxMs: number,
): Promise<DecodedSound> {
  const abort = new CallAbort();
  const stopWatching = watchCaller(ctx, services, abort);
  const { keyId } = ctx.state.key;
  try {
    return await decodeSound(file, { keyId, removeNoise, lengthMaxMs, signal: linkedSignal(abort).signal });
  } catch (error) {
    if (abort.reason !== 'left') throw shownError(abort, error);
    ctx.state.log.cancelled = true;
    throw new Error('the client disconnected while its sound was decoded', { cause: error });
  } finally {
    stopWatching();
  }
}

class AudioCall extends CountedCall {
  readonly model: Model;
  readonly price: Price;
  readonly fail: PaidCall['fail'];
  readonly #sound: SentSound;
  readonly #decoded: DecodedSound;
  // Released when they are presented: this object may be kept until a large garbage collection.
  #work: AudioWork | undefined;
  #input: AudioInput | undefined;

  constructor(sound: SentSound, decoded: DecodedSound, work: AudioWork) {
    super();
    this.#sound = sound;
    this.#decoded = decoded;
    this.#work = work;
    this.model = sound.model;
    this.fail = work.fail && ((error) => this.#work!.fail!(error));
    this.price = {
      wholeNanos: priceOf(sound, decoded.durationMs),
      leastNanos: priceOf(sound, 1),
      isLeastPrice: decoded.isCut,
    };
  }

  get setsBody(): boolean {
    return this.#work?.setsBody ?? false;
  }

  get sent(): PaidCall['sent'] {
    return this.#work?.sent;
  }

  produce({ held, truncatedBy }: Reserved, abort: CallAbort): Promise<void> {
    const { durationMs: wholeMs } = this.#decoded;
    const paidMs = Math.floor((wholeMs * Number(held.amountNanos)) / Number(this.price.wholeNanos));
    const durationMs = truncatedBy ? paidMs : wholeMs;
    const audio = { [Symbol.asyncIterator]: () => this.#given(durationMs) };
    this.#input = { held, audio, durationMs, costNanos: priceOf(this.#sound, durationMs), truncatedBy };
    return this.#work!.produce(this.#input, abort);
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
    return this.billed(this.#input!.durationMs);
  }

  delivered(): Quantities | undefined {
    const reachedMs = Math.min(this.#input!.durationMs, Math.round(this.#work!.reachedMs ?? 0));
    return reachedMs > 0 ? this.billed(reachedMs) : undefined;
  }

  present(): void | Promise<void> {
    const [work, input] = [this.#work!, this.#input!];
    this.#work = undefined;
    this.#input = undefined;
    return work.present(input);
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
