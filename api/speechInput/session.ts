import type { WebSocket } from 'ws';
import { KIB } from '../../base/limits.ts';
import { VOICE_FORMATS } from '../../calls/audio/formats.ts';
import { newId } from '../../db/ids.ts';
import type { SpeechParameters } from '../../providers/speech.ts';
import type { Context } from '../context.ts';
import { ApiError, type ErrorBody } from '../../base/errors/apiError.ts';
import { invalidApiKey } from '../../base/errors/keyErrors.ts';
import { asApiError } from '../../calls/errors/asApiError.ts';
import type { Services } from '../services.ts';
import type { CallerVoice } from '../../calls/sound/callerVoice.ts';
import { resolveSpeechModel, voiceSettingsOf } from '../../calls/sound/callerVoice.ts';
import { CLOSE, ClientSocket, closeReasonOf } from '../sockets/socket.ts';
import { refuseUnsupportedParameter } from '../voice/voiceSchema.ts';
import { voiceOfPath } from '../voice/textToSpeech.ts';
import type { Dialect, Wish } from './dialect.ts';
import { keyInFrame, type MultiSpeechInputFrame } from './frames.ts';
import { parseSpeechInputQuery, type SpeechInputQuery } from './query.ts';
import type { Speech } from './speaker.ts';
import { SpeechContext } from './speechContext.ts';

// How long a client has for the frame with its key, and how large that frame may be.
const KEY_WAIT_MS = 10_000;
const KEY_FRAME_BYTES_MAX = 64 * KIB;
// Failed contexts whose late frames are recognised: clients have no more of them at once, and send on for a moment.
const FAILED_CONTEXTS_MAX = 100;

/** An error as these sockets send it, just before they close. */
const errorEventOf = (error: ErrorBody, code: number): object => ({
  message: error.message,
  error: error.code,
  code,
  param: error.param,
});

const closeCodeOf = ({ type }: ErrorBody): number => (type === 'api_error' ? CLOSE.failed : CLOSE.refused);

/** A socket of speech: waiting for its key -> open -> ending -> closed. Each of its contexts is a speech of its own. */
export class SpeechInputSession {
  readonly #ctx: Context;
  readonly #services: Services;
  readonly #socket: ClientSocket;
  readonly #dialect: Dialect;
  #idle: NodeJS.Timeout;
  /** Those that take frames, by their ids. */
  readonly #open = new Map<string, SpeechContext>();
  /** These, and those that still speak. */
  readonly #all = new Set<SpeechContext>();
  /** Failed ones, while they keep what was spoken. */
  readonly #closing = new Set<Promise<void>>();
  /** The latest ids whose speech has failed: their frames are ignored until they are closed. */
  readonly #failed = new Set<string>();
  readonly #requestIds: string[];
  #query: SpeechInputQuery | undefined;
  #voice: CallerVoice | undefined;
  #isKeyed: boolean;
  #isEnding = false;
  #onDone: (() => void) | undefined;

  constructor(
    ctx: Context,
    services: Services,
    { accepted, dialect, isKeyed }: { accepted: WebSocket; dialect: Dialect; isKeyed: boolean },
  ) {
    this.#ctx = ctx;
    this.#requestIds = [ctx.state.requestId];
    this.#services = services;
    // Not at once: a process that ends already says so while the socket is made.
    const onDrain = () => queueMicrotask(() => this.#drain());
    this.#socket = new ClientSocket(ctx, services, accepted, { errorEvent: errorEventOf, onDrain });
    this.#dialect = dialect;
    this.#isKeyed = isKeyed;
    this.#idle = setTimeout(() => this.#onIdle(), KEY_WAIT_MS);
  }

  /** Resolves when the socket is closed and everything is settled. `admit` checks the key that the first frame carries. */
  async run(admit: () => Promise<void>): Promise<void> {
    this.#socket.onMessages((message) => this.#handle(message, admit).catch((error: unknown) => this.#refuse(error)));
    try {
      this.#query = parseSpeechInputQuery(this.#ctx.query);
      if (this.#isKeyed) this.#begin();
    } catch (error) {
      this.#refuse(error);
    }
    await this.#socket.closed;
    clearTimeout(this.#idle);
    await Promise.all([...this.#closing, ...[...this.#all].map((context) => context.close())]);
  }

  /** This process ends: what was to be spoken is spoken, and nothing more. */
  #drain(): void {
    this.#endWith(() => this.#socket.goAway());
  }

  /** The key is known. */
  #begin(): void {
    this.#isKeyed = true;
    this.#socket.watchKey();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#onIdle(), this.#query!.inactivity_timeout * 1_000);
  }

  async #handle(message: Buffer, admit: () => Promise<void>): Promise<void> {
    if (this.#isEnding || !this.#query) return;
    const wish = this.#dialect.parse(message.toString());
    if (!this.#isKeyed) await this.#admit(wish.frame, message.length, admit);
    this.#awaitFrame();
    await this.#fulfil(wish, this.#query);
  }

  async #admit(frame: MultiSpeechInputFrame, bytes: number, admit: () => Promise<void>): Promise<void> {
    if (bytes > KEY_FRAME_BYTES_MAX) throw firstFrameTooLarge();
    const secret = keyInFrame(frame);
    if (secret === undefined) throw invalidApiKey();
    this.#ctx.req.headers['x-api-key'] = secret;
    await admit();
    this.#begin();
  }

  async #fulfil({ frame, contextId, action }: Wish, query: SpeechInputQuery): Promise<void> {
    const known = this.#open.get(contextId);
    if (this.#failed.has(contextId) && action !== 'endAll') {
      if (action === 'stop') this.#failed.delete(contextId);
      return;
    }
    switch (action) {
      case 'speak': {
        const context = known ?? (await this.#opened(contextId, frame, query));
        context.accept(frame);
        return context.speaker.room();
      }
      case 'keepAlive':
        return known?.accept({});
      case 'stop':
        this.#open.delete(contextId);
        return known?.stop();
      case 'end':
        return (known ?? (await this.#opened(contextId, frame, query))).end();
      case 'endAll':
        return this.#endAll();
      default:
        return action satisfies never;
    }
  }

  #endAll(): void {
    for (const context of this.#open.values()) context.end();
    this.#endWith(() => this.#socket.close());
  }

  async #opened(id: string, frame: MultiSpeechInputFrame, query: SpeechInputQuery): Promise<SpeechContext> {
    if (this.#all.size >= this.#dialect.contextsMax) throw tooManyContexts(this.#dialect.contextsMax);
    const speech = await this.#speechOf(id, frame, query);
    const context: SpeechContext = new SpeechContext(
      {
        ...speech,
        onEnd: () => this.#ended(id, context),
        onFailure: (error) => (this.#dialect.isSingle ? this.#fail(error) : this.#failAlone(id, context, error)),
      },
      {
        schedule: frame.generation_config?.chunk_length_schedule,
        isAutomatic: query.auto_mode,
        idleMs: query.inactivity_timeout * 1_000,
        first: frame,
      },
    );
    this.#open.set(id, context);
    this.#all.add(context);
    return context;
  }

  async #speechOf(
    id: string,
    frame: MultiSpeechInputFrame,
    query: SpeechInputQuery,
  ): Promise<Omit<Speech, 'onEnd' | 'onFailure'>> {
    const [ctx, services, socket] = [this.#ctx, this.#services, this.#socket];
    const voice = (this.#voice ??= await voiceOfPath(ctx, services));
    const model = resolveSpeechModel(ctx.state, services, { name: query.model_id, voice, param: 'model_id' });
    const manner: SpeechParameters = {
      ...voiceSettingsOf(voice, frame.voice_settings),
      language: query.language_code,
      seed: query.seed,
      textNormalization: query.apply_text_normalization,
      latency: query.optimize_streaming_latency,
    };
    refuseUnsupportedParameter(services.voiceProviders.speech(model).unsupported({ ...manner, voice: voice.voice }));
    const name = this.#dialect.isSingle ? {} : { contextId: id };
    return {
      ctx,
      services,
      model,
      askedModel: query.model_id,
      voice,
      manner,
      format: VOICE_FORMATS.get(query.output_format)!,
      keptAs: query.enable_logging ? query.output_format : null,
      isSynchronous: query.sync_alignment,
      nextRequestId: () => this.#requestIds.pop() ?? newId('req'),
      send: (event) => socket.send({ ...event, ...name }),
      onRest: () => this.#endIfDone(),
    };
  }

  #ended(id: string, context: SpeechContext): void {
    void context.close();
    if (this.#dialect.isSingle) this.#socket.close();
    this.#left(id, context);
  }

  /** One of several speeches has failed: the others go on. */
  #failAlone(id: string, context: SpeechContext, error: ErrorBody): void {
    // A name that was closed before is free again.
    if (this.#open.get(id) === context) this.#rememberFailed(id);
    void this.#socket.send({ ...errorEventOf(error, closeCodeOf(error)), audio: null, isFinal: true, contextId: id });
    const closed: Promise<void> = context.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
    this.#left(id, context);
  }

  #rememberFailed(id: string): void {
    this.#failed.add(id);
    if (this.#failed.size > FAILED_CONTEXTS_MAX) this.#failed.delete([...this.#failed][0]!);
  }

  #left(id: string, context: SpeechContext): void {
    if (this.#open.get(id) === context) this.#open.delete(id);
    this.#all.delete(context);
    this.#awaitFrame();
    this.#endIfDone();
  }

  /** Takes no more frames, and ends the socket when nothing is left to speak. */
  #endWith(close: () => void): void {
    this.#isEnding = true;
    this.#onDone = close;
    this.#endIfDone();
  }

  #endIfDone(): void {
    if ([...this.#all].every(({ speaker }) => speaker.isResting)) this.#onDone?.();
  }

  #awaitFrame(): void {
    if (this.#isKeyed) this.#idle.refresh();
  }

  // Contexts have a time of their own.
  #onIdle(): void {
    if (!this.#isKeyed) this.#refuse(invalidApiKey());
    else if (this.#all.size === 0) this.#socket.close();
  }

  #refuse(error: unknown): void {
    this.#ctx.state.log.error = error;
    this.#fail(asApiError(error, this.#ctx.state.requestId).body);
  }

  #fail(error: ErrorBody): void {
    this.#isEnding = true;
    const code = closeCodeOf(error);
    void this.#socket.send(errorEventOf(error, code));
    this.#socket.close(code, closeReasonOf(error.message));
  }
}

const firstFrameTooLarge = () =>
  new ApiError({
    status: 413,
    code: 'frame_too_large',
    message: 'The frame with the key is larger than 64 KiB. Send the text in later frames.',
  });

const tooManyContexts = (contextsMax: number) =>
  new ApiError({
    status: 429,
    code: 'too_many_contexts',
    param: 'context_id',
    message: `A socket has ${contextsMax} contexts at most. Close one before you open another.`,
  });
