import type { AudioFormat } from '../audio/formats.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { costNanosOf, type Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import type { SpeechChunk, SpeechInput } from '../../providers/speech.ts';
import type { Caller } from '../caller.ts';
import { CountedCall } from '../countedCall.ts';
import { runPaidCall } from '../paidCall.ts';
import type { Price, Reserved } from '../reserve.ts';
import type { SoundServices } from '../services.ts';
import type { CallerVoice } from './callerVoice.ts';
import { SoundAnswer, type KeptSpeech, type SoundFacts, type SoundSink } from './soundAnswer.ts';

/**
 * Speaks a text into the answer, held, metered and billed by its characters. Audio is sent as it is produced. A failure before the first
 * audio is thrown; a later one aborts the answer; neither bills. A client that disconnects, or whose key ends during the answer, pays for
 * the characters already spoken, and so does a client when this process shuts down. If the caller allows it, money for a part of the text
 * buys that part.
 */
export function runSpeechCall(
  caller: Caller,
  services: SoundServices,
  { order, sink }: { order: SpeechOrder; sink: SoundSink },
): Promise<void> {
  const to = new SoundAnswer(caller, services, { ...order, sink });
  return runPaidCall(caller, services, new Speech(services, order, sink.isUsableInPart), to);
}

class Speech extends CountedCall<SoundFacts, SoundAnswer> {
  readonly model: Model;
  readonly price: Price;
  readonly #services: SoundServices;
  readonly #order: SpeechOrder;
  readonly #isUsableInPart: boolean;

  constructor(services: SoundServices, order: SpeechOrder, isUsableInPart: boolean) {
    super();
    this.#services = services;
    this.#order = order;
    this.#isUsableInPart = isUsableInPart;
    this.model = order.model;
    this.price = { wholeNanos: priceOf(charactersOf(order.text), order.model), leastNanos: priceOf(1, order.model) };
  }

  async produce({ held, truncatedBy }: Reserved, abort: CallAbort, to: SoundAnswer): Promise<SoundFacts> {
    const order = truncatedBy ? orderWithin(this.#order, held.amountNanos) : this.#order;
    const { text, voice, manner, format, askedModel = null } = order;
    const characters = charactersOf(text);
    const input = { ...manner, text, voice: voice.voice, format: format.vendorName };
    const chunks = this.#services.voiceProviders.speech(this.model).speak(held, input, abort);
    const priced = { costNanos: priceOf(characters, this.model), truncatedBy, characters };
    await to.send(this.#counted(chunks), abort, priced);
    const settings = manner.settings ?? null;
    return { source: 'TTS', voice, modelId: this.model.id, askedModel, text, characters, settings };
  }

  async *#counted(chunks: AsyncIterable<SpeechChunk>): AsyncGenerator<SpeechChunk> {
    for await (const chunk of chunks) {
      this.counted += chunk.characters;
      yield chunk;
    }
  }

  protected billed(characters: number): Quantities {
    return quantitiesOf(characters);
  }

  delivered(): Quantities | undefined {
    return this.#isUsableInPart ? this.consumed() : undefined;
  }
}

/** A text to be spoken: what the engine receives, and what price and answer depend on. */
interface SpeechOrder extends KeptSpeech {
  model: Model;
  /** The name of the model that the caller used, for the history. */
  askedModel?: string;
  voice: CallerVoice;
  text: string;
  format: AudioFormat;
  /** The speech parameters of the request, and whether word times are requested. */
  manner: Omit<SpeechInput, 'text' | 'voice' | 'model' | 'format'>;
}

/** The billed units of a text. */
export const quantitiesOf = (characters: number): Quantities => ({ input_characters: characters });

/** Characters are code points, so joined emoji count as several. */
export const charactersOf = (text: string): number => Array.from(text).length;

/** The price of this many characters with a model. */
export const priceOf = (characters: number, { rates }: Model): bigint => costNanosOf(quantitiesOf(characters), rates);

/** The part of the order that a smaller hold pays for: the text's beginning, at least its first character. */
function orderWithin(order: SpeechOrder, holdNanos: bigint): SpeechOrder {
  const characters = Array.from(order.text);
  let [low, high] = [1, characters.length];
  // Prices are rounded, so the last character that fits is found by a search.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (priceOf(middle, order.model) <= holdNanos) low = middle;
    else high = middle - 1;
  }
  return { ...order, text: characters.slice(0, low).join('') };
}
