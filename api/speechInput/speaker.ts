import type { AudioFormat } from '../../calls/audio/formats.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { newId } from '../../db/ids.ts';
import { usdOf } from '../../db/money.ts';
import { UNSPEAKABLE, type SpeechParameters, type Unspeakable } from '../../providers/speech.ts';
import type { Context } from '../context.ts';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import { asApiError } from '../../calls/errors/asApiError.ts';
import { pricedAt } from '../../calls/findModel.ts';
import { runSocketCall } from '../sockets/socketCall.ts';
import type { Services } from '../services.ts';
import type { CallerVoice } from '../../calls/sound/callerVoice.ts';
import { openHistory, type HistoryWriter } from '../../calls/sound/keepSpeech.ts';
import { refused, refuseUnsupportedParameter } from '../voice/voiceSchema.ts';
import { ChunkCall } from './chunkCall.ts';
import { SoundFrames, type SoundFrame } from './soundFrames.ts';

/** How a speech is made, and where it goes. */
export interface Speech {
  ctx: Context;
  services: Services;
  model: Model;
  /** The name of the model that the client used. */
  askedModel: string | undefined;
  voice: CallerVoice;
  format: AudioFormat;
  manner: SpeechParameters;
  isSynchronous: boolean;
  /** Name of its format in the history; null: it is not kept. */
  keptAs: string | null;
  /** The id of the next paid call: the first one of a socket has that of its handshake. */
  nextRequestId: () => string;
  /** Sends a frame; waits while the client is slower than the speech. */
  send: (frame: object) => Promise<void> | undefined;
  /** The speech has failed: nothing more comes of it. */
  onFailure: (error: ErrorBody) => void;
  /** All that was asked for is spoken. */
  onRest: () => void;
  /** Its last frame was sent. */
  onEnd: () => void;
}

interface TextStep {
  kind: 'text';
  text: string;
  isFlushed: boolean;
}

type Step = TextStep | { kind: 'flushed' } | { kind: 'end' };

/** What is being spoken; its call begins when the sound is open. */
interface Running {
  step: TextStep;
  call?: ChunkCall;
  isStopped?: boolean;
}

const NOTHING = 'invalid_value' satisfies Unspeakable;

// A client whose text arrives faster than it is spoken waits when so much of it does: three quarters of an hour of speech.
const WAITING_CHARS_MAX = 40_000;

/**
 * Speaks chunks of text one after another: waiting -> speaking -> ended. Each chunk is a paid call of its own; the sound is one stream, and
 * one item of the history.
 */
export class Speaker {
  readonly #speech: Speech;
  #steps: Step[] = [];
  #isBusy = false;
  #working: Promise<void> = Promise.resolve();
  #isOver = false;
  #isOut = false;
  #waitingChars = 0;
  #onRoom: (() => void)[] = [];
  #running: Running | undefined;
  #sound: SoundFrames | undefined;
  #history: HistoryWriter | undefined;
  #spoken: string[] = [];
  #characters = 0;
  #costNanos = 0n;
  /** Some of the text had nothing that can be spoken. */
  #hasMute = false;

  constructor(speech: Speech) {
    this.#speech = speech;
  }

  /** Whether everything that was asked for is spoken. */
  get isResting(): boolean {
    return !this.#isBusy && this.#steps.length === 0;
  }

  say(chunks: string[]): void {
    for (const text of chunks) this.#add({ kind: 'text', text, isFlushed: false });
  }

  /** Once everything so far is spoken, brings out the rest of its sound and says so. */
  flush(): void {
    this.#markFlushed();
    this.#add({ kind: 'flushed' });
  }

  /** Ends the speech with its last frame, once everything so far is spoken. */
  end(): void {
    this.#markFlushed();
    this.#add({ kind: 'end' });
  }

  /** Ends the speech without what was not flushed, the chunk that is being spoken included. */
  stop(): void {
    this.#steps = this.#steps.filter((step) => step.kind !== 'text' || step.isFlushed);
    if (this.#running?.step.isFlushed === false) {
      this.#running.isStopped = true;
      this.#running.call?.stop();
    }
    this.#add({ kind: 'end' });
  }

  /** Resolves when more text may come; undefined: at once. */
  room(): Promise<void> | undefined {
    if (this.#waitingChars <= WAITING_CHARS_MAX || this.#isOver) return undefined;
    return new Promise((resolve) => this.#onRoom.push(resolve));
  }

  /** The client has gone: keeps what was spoken. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#steps = [];
    this.#giveRoom();
    await this.#working;
    await this.#keep();
    this.#sound?.close();
  }

  #markFlushed(): void {
    for (const step of this.#steps) if (step.kind === 'text') step.isFlushed = true;
    if (this.#running) this.#running.step.isFlushed = true;
  }

  #add(step: Step): void {
    if (this.#isOver) return;
    if (step.kind === 'text') this.#waitingChars += step.text.length;
    this.#steps.push(step);
    if (!this.#isBusy) this.#working = this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    try {
      for (let step = this.#steps.shift(); step && !this.#isOver; step = this.#steps.shift()) await this.#take(step);
    } catch (error) {
      await this.#fail(asApiError(error, this.#speech.ctx.state.requestId).body);
    }
    this.#isBusy = false;
    this.#speech.onRest();
  }

  async #take(step: Step): Promise<void> {
    if (step.kind === 'text') return this.#speak(step).finally(() => this.#spoke(step));
    if (step.kind === 'end') return this.#end();
    for (const { frame, sound } of this.#sound?.pause() ?? []) await this.#send(frame, sound);
    await this.#speech.send({ audio: null, isFinal: null, flushed: true });
  }

  #spoke({ text }: TextStep): void {
    this.#running = undefined;
    this.#waitingChars -= text.length;
    this.#giveRoom();
  }

  async #speak(step: TextStep): Promise<void> {
    const { ctx, services, model, voice, format, manner, isSynchronous } = this.#speech;
    if (this.#isMute(step.text)) return;
    const running: Running = (this.#running = { step });
    this.#sound ??= await SoundFrames.open(format, { isSynchronous });
    if (running.isStopped) return;
    // Plain samples are asked for in any case: the sound of all chunks is encoded as one stream.
    const plain = `pcm_${format.sampleRate}`;
    const startedAtMs = Date.now();
    const call = new ChunkCall(services, {
      model: pricedAt(services, model, startedAtMs),
      startedAtMs,
      input: { ...manner, text: step.text, voice: voice.voice, format: plain, marks: true },
      sound: this.#sound,
      send: (frame, sound) => this.#send(frame, sound),
    });
    running.call = call;
    await runSocketCall(ctx, services, call, this.#speech.nextRequestId());
    this.#count(step.text, call);
    if (call.failure) await this.#fail(call.failure);
  }

  /** Whether there is nothing to speak in a text, which is passed over. Throws for text in another language. */
  #isMute(text: string): boolean {
    const { services, model, voice, manner } = this.#speech;
    const given = { ...manner, text, voice: voice.voice };
    const unsupported = services.voiceProviders.speech(model).unsupported(given);
    const isMute = unsupported?.member === NOTHING;
    if (!isMute) refuseUnsupportedParameter(unsupported);
    this.#hasMute ||= isMute;
    return isMute;
  }

  #count(text: string, { characters, costNanos }: ChunkCall): void {
    this.#spoken.push(Array.from(text).slice(0, characters).join(''));
    this.#characters += characters;
    this.#costNanos += costNanos;
    const { log } = this.#speech.ctx.state;
    log.costNanos = (log.costNanos ?? 0n) + costNanos;
  }

  async #send(frame: SoundFrame, sound: Buffer): Promise<void> {
    const { ctx, services, keptAs } = this.#speech;
    if (keptAs !== null) this.#history ??= openHistory(services, { key: ctx.state.key, id: newId('hist') });
    await this.#history?.write(sound);
    await this.#speech.send(frame);
  }

  async #end(): Promise<void> {
    if (this.#hasMute && this.#characters === 0) throw refused('text', UNSPEAKABLE[NOTHING], NOTHING);
    await this.#bringOut();
    await this.#keep();
    this.#isOver = true;
    const totals = { character_count: this.#characters, cost_usd: usdOf(this.#costNanos) };
    await this.#speech.send({ audio: null, isFinal: true, ...totals });
    this.#speech.onEnd();
  }

  /** Sends what the encoder holds back, once: it is paid for. */
  async #bringOut(): Promise<void> {
    if (this.#isOut) return;
    this.#isOut = true;
    for (const { frame, sound } of this.#sound?.end() ?? []) await this.#send(frame, sound);
  }

  async #keep(): Promise<void> {
    const history = this.#history;
    if (!history) return;
    this.#history = undefined;
    const { ctx, voice, model, askedModel = null, format, manner, keptAs } = this.#speech;
    await history.keep({
      source: 'TTS',
      voice,
      modelId: model.id,
      askedModel,
      text: this.#spoken.join(''),
      characters: this.#characters,
      settings: manner.settings ?? null,
      requestId: ctx.state.requestId,
      contentType: format.mediaType,
      outputFormat: keptAs!,
    });
  }

  #giveRoom(): void {
    if (this.#waitingChars > WAITING_CHARS_MAX && !this.#isOver) return;
    for (const resolve of this.#onRoom.splice(0)) resolve();
  }

  async #fail(error: ErrorBody): Promise<void> {
    this.#isOver = true;
    this.#steps = [];
    this.#giveRoom();
    try {
      await this.#bringOut();
    } catch (thrown) {
      // The client gets the first failure only.
      this.#speech.ctx.state.log.error = thrown;
    }
    this.#speech.onFailure(error);
  }
}
