import type { AudioFormat } from '../audio/formats.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { costNanosOf, type Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import type { SpeechChunk, SpeechInput } from '../../providers/speech.ts';
import type { Context } from '../../api/context.ts';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import { CountedCall } from '../countedCall.ts';
import { runPaidCall } from '../paidCall.ts';
import type { Price, Reserved } from '../reserve.ts';
import type { Services } from '../../api/services.ts';
import type { CallerVoice } from './callerVoice.ts';
import { SoundAnswer, type SoundSink } from './soundAnswer.ts';

/**
 * Speaks a text into the answer, held, metered and billed by its characters. Audio is sent as it is produced. A failure before the first
 * audio is thrown; a later one aborts the answer; neither bills. A client that disconnects, or whose key ends during the answer, pays for
 * the characters already spoken, and so does a client when this process shuts down. If the caller allows it, money for a part of the text
 * buys that part.
 */
export function runSpeechCall(
  ctx: Context,
  services: Services,
  { order, sink }: { order: SpeechOrder; sink: SoundSink },
): Promise<void> {
  return runPaidCall(ctx, services, new Speech(ctx, services, order, sink));
}

class Speech extends CountedCall {
  readonly model: Model;
  readonly price: Price;
  readonly sent: SoundAnswer;
  readonly #services: Services;
  /** Released when it is presented. Shortened to what the hold covers, once that is known. */
  #order: SpeechOrder | undefined;

  constructor(ctx: Context, services: Services, order: SpeechOrder, sink: SoundSink) {
    super();
    this.#services = services;
    this.#order = order;
    this.model = order.model;
    this.price = { wholeNanos: priceOf(charactersOf(order.text), order.model), leastNanos: priceOf(1, order.model) };
    this.sent = new SoundAnswer(ctx, services, { ...order, sink });
  }

  async produce({ held, truncatedBy }: Reserved, abort: CallAbort): Promise<void> {
    if (truncatedBy) this.#order = orderWithin(this.#order!, held.amountNanos);
    const { text, voice, manner, format } = this.#order!;
    const characters = charactersOf(text);
    const input = { ...manner, text, voice: voice.voice, format: format.vendorName };
    const chunks = this.#services.voiceProviders.speech(this.model).speak(held, input, abort);
    const priced = { costNanos: priceOf(characters, this.model), truncatedBy, characters };
    await this.sent.send(this.#counted(chunks), abort, priced);
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
    return this.sent.isUsableInPart ? this.certain() : undefined;
  }

  present(): Promise<void> {
    const { voice, text, manner, askedModel = null } = this.#order!;
    this.#order = undefined;
    const model = { modelId: this.model.id, askedModel };
    const facts = { source: 'TTS', voice, ...model, text, characters: charactersOf(text) } as const;
    return this.sent.end({ ...facts, settings: manner.settings ?? null });
  }

  fail(error: ErrorBody): Promise<void> {
    return this.sent.fail(error);
  }
}

/** A text to be spoken: what the engine receives, and what price and answer depend on. */
interface SpeechOrder {
  model: Model;
  /** The name of the model that the caller used, for the history. */
  askedModel?: string;
  voice: CallerVoice;
  text: string;
  format: AudioFormat;
  /** The speech parameters of the request, and whether word times are requested. */
  manner: Omit<SpeechInput, 'text' | 'voice' | 'model' | 'format'>;
  /** Name of its format in the history; null: it is not stored. */
  keptAs: string | null;
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
