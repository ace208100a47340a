import { openEncodedStream } from '../../../calls/audio/audio.ts';
import { TEXT_FORMATS } from '../../../calls/audio/formats.ts';
import { sentencesOf } from '../../../base/sentences.ts';
import type { Model } from '../../../db/catalog/catalog.ts';
import type { Hold } from '../../../db/ledger/ledger.ts';
import { divideUp, PICOS_PER_NANO } from '../../../db/money.ts';
import { CallAbort } from '../../../providers/callAbort.ts';
import type { Held } from '../../../providers/provider.ts';
import type { SpeechParameters, Unspeakable } from '../../../providers/speech.ts';
import type { Services } from '../../services.ts';
import type { CallerVoice } from '../../../calls/sound/callerVoice.ts';
import type { GrowingHold } from '../../../calls/text/meteredCall.ts';
import { refuseUnsupportedParameter } from '../../../calls/text/parameters/refusal.ts';
import type { OutputItems } from '../session/outputItems.ts';

const FORMAT = TEXT_FORMATS.get('pcm')!;
const BYTES_A_MS = (FORMAT.sampleRate * 2) / 1_000;
// Text that waits to be spoken; the model writes no further ahead.
const WAITING_CHARS_MAX = 8_000;

/** With which voice an answer is spoken. */
export interface VoiceOrder {
  model: Model;
  voice: CallerVoice;
  manner: SpeechParameters;
  /** The price of a spoken character. */
  characterPicos: bigint;
}

/**
 * Speaks a text while it is written: each sentence as soon as the next one begins. Its hold grows by a sentence's price before the sentence
 * is spoken; where it cannot, the speech ends.
 */
export class SpokenText {
  /** Resolves when everything was spoken, or the speech was stopped; rejects when it failed. */
  readonly finished: Promise<void>;
  /** Characters whose sound was sent. */
  characters = 0;
  isOutOfMoney = false;
  /** What was missing then for its next sentence. */
  missingNanos = 0n;
  readonly #services: Services;
  readonly #order: VoiceOrder;
  readonly #output: OutputItems;
  readonly #held: Hold & Held;
  readonly #abort = new CallAbort();
  readonly #sentences: string[] = [];
  #pending = '';
  #isWritten = false;
  /** Nothing more is spoken: text that still comes waits for no room. */
  #isOver = false;
  #waitingChars = 0;
  #heldCharacters = 0;
  #sentBytes = 0;
  #onText: (() => void) | undefined;
  #onRoom: (() => void) | undefined;

  constructor(services: Services, order: VoiceOrder, output: OutputItems, held: Hold & Held) {
    this.#services = services;
    this.#order = order;
    this.#output = output;
    this.#held = held;
    this.finished = this.#run();
    // A failure is looked at when the text is written too.
    this.finished.catch(() => {});
  }

  /** The hold without what characters take of it: what remains for tokens. */
  get holdOfText(): GrowingHold {
    const held = this.#held;
    const nanosOfCharacters = () => this.#nanosOf(this.#heldCharacters);
    return {
      get amountNanos() {
        return held.amountNanos - nanosOfCharacters();
      },
      grow: (moreNanos, isPatient) => held.grow(moreNanos, isPatient),
    };
  }

  get spokenMs(): number {
    return Math.round(this.#sentBytes / BYTES_A_MS);
  }

  /** Takes written text. Resolves when there is room for more. */
  add(delta: string): Promise<void> | undefined {
    this.#pending += delta;
    const sentences = sentencesOf(this.#pending);
    this.#pending = sentences.pop() ?? '';
    this.#push(sentences);
    if (this.#isOver || this.#waitingChars <= WAITING_CHARS_MAX) return undefined;
    return new Promise((resolve) => (this.#onRoom = resolve));
  }

  /** The text is complete. */
  end(): void {
    this.#isWritten = true;
    this.#push(this.#pending === '' ? [] : [this.#pending]);
    this.#onText?.();
  }

  /** Ends the speech where it is. */
  stop(reason: unknown): void {
    this.#abort.abort(reason);
    this.#onText?.();
    this.#onRoom?.();
  }

  /** Resolves when nothing is spoken any more. */
  async close(): Promise<void> {
    this.stop('cut');
    await this.finished.catch(() => {});
  }

  #push(sentences: string[]): void {
    if (sentences.length === 0 || this.#abort.aborted) return;
    this.#sentences.push(...sentences);
    for (const { length } of sentences) this.#waitingChars += length;
    this.#onText?.();
  }

  async #run(): Promise<void> {
    const encoder = await openEncodedStream(FORMAT);
    try {
      for (let text = await this.#next(); text !== undefined; text = await this.#next()) {
        if (this.#isMute(text)) {
          await this.#output.say(text);
          this.#output.markSpoken({ text, endMs: this.spokenMs });
        } else {
          if (!(await this.#holds(text))) break;
          await this.#speak(text, encoder);
        }
        this.#waitingChars -= text.length;
        if (this.#waitingChars <= WAITING_CHARS_MAX) this.#onRoom?.();
      }
      if (!this.#abort.aborted) await this.#send(encoder.end());
    } finally {
      encoder.close();
      this.#isOver = true;
      this.#onRoom?.();
    }
    if (this.#abort.aborted) throw this.#abort.reason;
  }

  async #next(): Promise<string | undefined> {
    while (this.#sentences.length === 0) {
      if (this.#isWritten || this.#abort.aborted) return undefined;
      await new Promise<void>((resolve) => (this.#onText = resolve));
    }
    return this.#abort.aborted ? undefined : this.#sentences.shift();
  }

  /** Whether there is nothing to speak in a sentence. Throws for one in another language. */
  #isMute(text: string): boolean {
    const { model, voice, manner } = this.#order;
    const unsupported = this.#services.voiceProviders
      .speech(model)
      .unsupported({ ...manner, text, voice: voice.voice });
    const isMute = unsupported?.member === ('invalid_value' satisfies Unspeakable);
    if (!isMute) refuseUnsupportedParameter(unsupported);
    return isMute;
  }

  /** Whether the money for a sentence is held now. */
  async #holds(text: string): Promise<boolean> {
    const before = this.#nanosOf(this.#heldCharacters);
    const characters = this.#heldCharacters + Array.from(text).length;
    const moreNanos = this.#nanosOf(characters) - before;
    const addedNanos = await this.#held.grow(moreNanos, true);
    this.isOutOfMoney = addedNanos < moreNanos;
    if (this.isOutOfMoney) this.missingNanos = moreNanos - addedNanos;
    else this.#heldCharacters = characters;
    return !this.isOutOfMoney;
  }

  async #speak(text: string, encoder: Awaited<ReturnType<typeof openEncodedStream>>): Promise<void> {
    const { model, voice, manner } = this.#order;
    const input = { ...manner, text, voice: voice.voice, format: 'pcm_24000', codec: 'pcm' };
    const characters = Array.from(text);
    let spoken = 0;
    for await (const chunk of this.#services.voiceProviders.speech(model).speak(this.#held, input, this.#abort)) {
      const part = characters.slice(spoken, spoken + chunk.characters).join('');
      spoken += chunk.characters;
      await this.#output.say(part);
      if (chunk.encoded) await this.#send(chunk.encoded);
      else for (const slice of encoder.slicesOf(chunk)) await this.#send(encoder.push(slice));
      this.characters += chunk.characters;
      this.#output.markSpoken({ text: part, endMs: this.spokenMs });
      if (this.#abort.aborted) return;
    }
  }

  async #send(samples: Buffer): Promise<void> {
    if (samples.length === 0 || this.#abort.aborted) return;
    this.#sentBytes += samples.length;
    await this.#output.sound(samples);
  }

  #nanosOf(characters: number): bigint {
    return divideUp(BigInt(characters) * this.#order.characterPicos, PICOS_PER_NANO);
  }
}
