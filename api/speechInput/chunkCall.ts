import { setImmediate as turn } from 'node:timers/promises';
import type { Model } from '../../db/catalog/catalog.ts';
import type { Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import type { SpeechInput } from '../../providers/speech.ts';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import { CountedCall } from '../../calls/countedCall.ts';
import type { Outcome } from '../../calls/delivery.ts';
import type { SocketCall } from '../sockets/socketCall.ts';
import type { Price, Reserved } from '../../calls/reserve.ts';
import type { Services } from '../services.ts';
import { charactersOf, priceOf, quantitiesOf } from '../../calls/sound/speechCall.ts';
import type { SoundFrame, SoundFrames } from './soundFrames.ts';

/** A chunk of text that is spoken: what the engine is given, and where its sound goes. */
export interface ChunkOrder {
  /** The model at the price of the chunk's start. */
  model: Model;
  startedAtMs: number;
  input: SpeechInput;
  sound: SoundFrames;
  /** Takes the frames in order; waits while the client is slower than the speech. */
  send: (frame: SoundFrame, sound: Buffer) => Promise<void> | undefined;
}

/**
 * One chunk of a socket's text as a paid call: held whole, billed by the characters whose sound was made, whether it is whole, stopped, or
 * its client has left.
 */
export class ChunkCall extends CountedCall implements SocketCall {
  readonly model: Model;
  readonly price: Price;
  readonly startedAtMs: number;
  readonly hasBegun = true;
  readonly sent = { firstByteMs: null as number | null, bytes: 0 };
  costNanos = 0n;
  failure: ErrorBody | undefined;
  readonly #services: Services;
  readonly #order: ChunkOrder;
  readonly #begunAtMs = performance.now();
  #abort: CallAbort | undefined;
  #isStopped = false;

  constructor(services: Services, order: ChunkOrder) {
    super();
    this.#services = services;
    this.#order = order;
    this.model = order.model;
    this.startedAtMs = order.startedAtMs;
    const wholeNanos = priceOf(charactersOf(order.input.text), order.model);
    this.price = { wholeNanos, leastNanos: wholeNanos };
  }

  /** The characters that were spoken, from the start of the chunk. */
  get characters(): number {
    return this.counted;
  }

  /** Ends the speech where it is. */
  stop(): void {
    this.#isStopped = true;
    this.#abort?.abort('cut');
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<void> {
    if (this.#isStopped) return;
    this.#abort = abort;
    const { input, sound } = this.#order;
    sound.beginText(input.text);
    try {
      for await (const chunk of this.#services.voiceProviders.speech(this.model).speak(held, input, abort)) {
        this.counted += chunk.characters;
        for (const { frame, sound: bytes } of sound.framesOf(chunk)) {
          await this.#send(frame, bytes);
          if (abort.aborted) throw abort.reason;
        }
      }
    } catch (error) {
      if (abort.reason !== 'cut') throw error;
    }
  }

  async #send(frame: SoundFrame, sound: Buffer): Promise<void> {
    this.sent.firstByteMs ??= Math.round(performance.now() - this.#begunAtMs);
    this.sent.bytes += sound.length;
    await this.#order.send(frame, sound);
    // Encoders run where they are called: others have their turn.
    await turn();
  }

  protected billed(characters: number): Quantities {
    return quantitiesOf(characters);
  }

  delivered(): Quantities {
    return this.consumed();
  }

  present(_answer: void, { chargedNanos }: Outcome): void {
    this.costNanos = chargedNanos;
  }

  fail(error: ErrorBody): void {
    this.failure = error;
  }
}
