import type { Model } from '../../db/catalog.ts';
import { usdTextOf, type Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import type { SpeechChunk } from '../../providers/speech.ts';
import type { Context } from '../context.ts';
import type { ErrorBody } from '../errors/apiError.ts';
import { runPaidCall, type PaidCall } from '../paid/paidCall.ts';
import { truncationHeaders, type Price, type Reserved } from '../paid/reserve.ts';
import type { Services } from '../services.ts';
import { SoundAnswer } from './soundAnswer.ts';
import type { SoundSink } from './soundSink.ts';
import { charactersOf, orderWithin, priceOf, quantitiesOf, type SpeechOrder } from './speechOrder.ts';

/**
 * Speaks a text into the answer, held, metered and billed by its characters. The sound leaves as it is made. A failure before the first
 * sound is thrown; a later one breaks the answer off; neither bills. A client that disconnects, or whose key ends in mid-sound, pays for the
 * characters whose sound was made, and so does one whose answer breaks off because this process ends. Money for a part of the text buys
 * that part if the caller allows it.
 */
export function runSpeechCall(
  ctx: Context,
  services: Services,
  { order, sink }: { order: SpeechOrder; sink: SoundSink },
): Promise<void> {
  return runPaidCall(ctx, services, new Speech(ctx, services, order, sink));
}

class Speech implements PaidCall {
  readonly model: Model;
  readonly price: Price;
  readonly #ctx: Context;
  readonly #services: Services;
  readonly #sink: SoundSink;
  readonly #sound: SoundAnswer;
  /** Within what is held. */
  #order: SpeechOrder;
  /** Characters whose sound the engine has given. */
  #produced = 0;

  constructor(ctx: Context, services: Services, order: SpeechOrder, sink: SoundSink) {
    const { model, text, format, keptAs } = order;
    this.#ctx = ctx;
    this.#services = services;
    this.#order = order;
    this.#sink = sink;
    this.#sound = new SoundAnswer(ctx, services, { format, sink, keptAs });
    this.model = model;
    this.price = { wholeNanos: priceOf(charactersOf(text), model), leastNanos: priceOf(1, model) };
  }

  get firstByteMs(): number | null {
    return this.#sound.firstByteMs;
  }

  get streamBytes(): number {
    return this.#sound.bytes;
  }

  async produce({ held, truncatedBy }: Reserved, abort: CallAbort): Promise<void> {
    if (truncatedBy) this.#order = orderWithin(this.#order, held.amountNanos);
    const { text, voice, manner, format } = this.#order;
    const input = { ...manner, text, voice: voice.voice, format: format.vendorName };
    const chunks = this.#services.voiceProviders.speech(this.model).speak(held, input, abort);
    const headers = {
      'request-id': this.#ctx.state.requestId,
      'character-cost': String(charactersOf(text)),
      'x-cost-usd': usdTextOf(priceOf(charactersOf(text), this.model)),
      ...truncationHeaders(truncatedBy),
    };
    await this.#sound.send(this.#counted(chunks), abort, { headers });
  }

  async *#counted(chunks: AsyncIterable<SpeechChunk>): AsyncGenerator<SpeechChunk> {
    for await (const chunk of chunks) {
      this.#produced += chunk.characters;
      yield chunk;
    }
  }

  whole(): Quantities {
    return this.certain();
  }

  unbilled(): Quantities {
    return quantitiesOf(0);
  }

  certain(): Quantities {
    return quantitiesOf(this.#produced);
  }

  consumed(): Quantities {
    return this.certain();
  }

  delivered(): Quantities | undefined {
    return this.#sink.isUsableInPart ? this.certain() : undefined;
  }

  present(): Promise<void> {
    const { model, voice, text, manner } = this.#order;
    const characters = charactersOf(text);
    return this.#sound.end({
      source: 'TTS',
      voice,
      modelId: model.id,
      text,
      characters,
      settings: manner.settings ?? null,
    });
  }

  fail(error: ErrorBody): Promise<void> {
    return this.#sound.fail(error);
  }
}
