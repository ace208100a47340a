import type { WebSocket } from 'ws';
import { CallAbort } from '../../providers/callAbort.ts';
import { newId } from '../../db/ids.ts';
import { asApiError } from '../../calls/errors/asApiError.ts';
import { ClientLeft } from '../../calls/errors/clientLeft.ts';
import { deltaOf, type TranscriptionOrder } from '../../calls/sound/transcribe.ts';
import type { Context } from '../context.ts';
import { transcribeTurn } from '../realtime/input/hearing.ts';
import { COMMITTED_MS_MIN, durationMsOf, InputBuffer, type Heard } from '../realtime/input/inputBuffer.ts';
import { SoundMeter } from '../realtime/input/soundMeter.ts';
import { TurnQueue } from '../realtime/input/turnQueue.ts';
import { SESSION_SECONDS_MAX } from '../realtime/openRealtime.ts';
import { sessionExpired } from '../realtime/session/sessionErrors.ts';
import type { Services } from '../services.ts';
import { CLOSE, ClientSocket } from '../sockets/socket.ts';
import { parseSoundFrame, type SoundForm } from './frames.ts';
import type { LiveTranscriptionQuery } from './query.ts';
import { committed, errorEventOf, sessionStarted } from './serverEvents.ts';

// A turn that its client never ends is ended here, as the vendor does.
const TURN_MS_MAX = 90_000;
const PREFIX_MS = 300;

export interface LiveTranscriptionStart {
  ctx: Context;
  services: Services;
  query: LiveTranscriptionQuery;
  order: TranscriptionOrder;
}

/**
 * A session that writes down what is said, turn by turn: open -> closed. Money is held for sound as it arrives, and a turn is paid for once it
 * is written down. A session that ends without its client writes down what it has got.
 */
export class LiveTranscription {
  readonly #start: LiveTranscriptionStart;
  readonly #socket: ClientSocket;
  readonly #form: SoundForm;
  readonly #input: InputBuffer;
  readonly #meter: SoundMeter;
  readonly #abort = new CallAbort();
  readonly #requestIds: string[];
  readonly #turns = new TurnQueue();
  #speechStartMs = 0;

  constructor(start: LiveTranscriptionStart, accepted: WebSocket) {
    this.#start = start;
    const { ctx, services, query, order } = start;
    const onDrain = () => void this.#endTurn().then(() => this.#socket.goAway());
    this.#socket = new ClientSocket(ctx, services, accepted, { errorEvent: errorEventOf, onDrain });
    this.#form = formOf(query);
    this.#input = new InputBuffer(detectionOf(query), services, this.#form.sampleRate);
    this.#requestIds = [ctx.state.requestId];
    const nextRequestId = () => this.#requestIds.pop() ?? newId('req');
    this.#meter = new SoundMeter({ ctx, services, model: order.model }, nextRequestId, () => this.#endTurn());
  }

  /** Resolves when the socket is closed and everything is settled. */
  async run(): Promise<void> {
    const { ctx, query } = this.#start;
    this.#socket.watchKey();
    void this.#socket.send(sessionStarted(ctx.state.requestId, query, this.#form.sampleRate));
    this.#socket.onMessages((message) => this.#take(message).catch((error: unknown) => this.#refuse(error)));
    const expire = () => this.#socket.fail(sessionExpired(SESSION_SECONDS_MAX), CLOSE.normal);
    const expiry = setTimeout(() => void this.#endTurn().then(expire), SESSION_SECONDS_MAX * 1_000);
    await this.#socket.closed;
    clearTimeout(expiry);
    this.#abort.abort('left');
    await this.#turns.done();
    await this.#meter.end();
    await this.#input.close();
  }

  async #take(message: Buffer): Promise<void> {
    const { bytes, commit } = parseSoundFrame(message.toString(), this.#form);
    if (bytes.length > 0) {
      await this.#meter.take(bytes.length / 2 / (this.#form.sampleRate / 1_000));
      for (const heard of await this.#input.append(bytes)) this.#onHeard(heard);
      if (!this.#isInTurn) this.#meter.billSilence();
    }
    if (commit || this.#input.heldMs >= TURN_MS_MAX) this.#commit();
    await this.#turns.room();
  }

  #onHeard(heard: Heard): void {
    const { services, order, query } = this.#start;
    if (heard.kind === 'started') {
      this.#speechStartMs = heard.atMs;
      if (this.#meter.held) services.voiceProviders.prepareTranscription(order.model, this.#meter.held);
      return;
    }
    const aroundMs = query.vad_silence_threshold_secs * 1_000 + PREFIX_MS;
    if (heard.atMs - this.#speechStartMs - aroundMs < query.min_speech_duration_ms) return;
    this.#write(heard.samples, heard.atMs - durationMsOf(heard.samples));
  }

  #commit(): void {
    const { heldMs, endMs } = this.#input;
    if (heldMs >= COMMITTED_MS_MIN) return this.#write(this.#input.commit().samples, Math.max(0, endMs - heldMs));
    this.#input.clear();
    this.#write([], endMs);
  }

  get #isInTurn(): boolean {
    return this.#start.query.commit_strategy === 'manual' || this.#input.isSpeaking;
  }

  /** Ends the turn that lasts; resolves when all are written down or have failed. */
  #endTurn(): Promise<void> {
    if (this.#isInTurn && this.#input.heldMs >= COMMITTED_MS_MIN) this.#commit();
    return this.#turns.ended();
  }

  /** Transcribes a turn after the earlier ones. A failed turn is not billed: the client gets its error, and the session goes on. */
  #write(samples: Int16Array[], startMs: number): void {
    const written = this.#meter.turn(this.#abort, () => this.#transcribe(samples, startMs));
    this.#turns.add(samples, () => written().catch((error: unknown) => this.#refuse(error)));
  }

  async #transcribe(samples: Int16Array[], startMs: number): Promise<void> {
    const { services, query, order } = this.#start;
    if (this.#abort.aborted) return;
    let text = '';
    const silence = { text, language: query.language_code ?? 'en', segments: [], words: [], durationSeconds: 0 };
    const turn = { held: this.#meter.held!, samples, abort: this.#abort };
    const transcript =
      samples.length === 0
        ? silence
        : await transcribeTurn(services, order, turn, ({ segment }) => {
            text += deltaOf(text, segment);
            return this.#socket.send({ message_type: 'partial_transcript', text });
          });
    for (const event of committed(transcript, startMs, query)) void this.#socket.send(event);
  }

  #refuse(thrown: unknown): void {
    if (thrown instanceof ClientLeft || this.#abort.aborted) return;
    const { ctx, services } = this.#start;
    const error = asApiError(thrown, ctx.state.requestId);
    ctx.state.log.error = thrown;
    if (error.status >= 500) services.log.warn({ err: thrown, requestId: ctx.state.requestId }, 'live transcription');
    if (error.status === 401 || error.status === 402) this.#socket.fail(error);
    else void this.#socket.send(errorEventOf(error.body));
  }
}

function formOf({ audio_format: format }: LiveTranscriptionQuery): SoundForm {
  const [codec, rate] = format.split('_');
  return { codec: codec === 'ulaw' ? 'ulaw' : 'pcm', sampleRate: Number(rate) };
}

function detectionOf({ commit_strategy: strategy, ...query }: LiveTranscriptionQuery) {
  if (strategy === 'manual') return null;
  return {
    type: 'server_vad' as const,
    threshold: query.vad_threshold,
    prefix_padding_ms: PREFIX_MS,
    silence_duration_ms: query.vad_silence_threshold_secs * 1_000,
    idle_timeout_ms: null,
    create_response: false,
    interrupt_response: false,
  };
}
