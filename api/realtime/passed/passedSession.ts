import { isObject } from '../../../base/json.ts';
import { faultOfEvent, type RealtimeUpstream } from '../../../providers/realtimeProviders.ts';
import type { ProviderError, Json } from '../../../providers/provider.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import { pricedAt } from '../../../calls/findModel.ts';
import { endedByMoney } from '../../../calls/funds.ts';
import { runSocketCall } from '../../sockets/socketCall.ts';
import { reserve, type Price, type Reserved } from '../../../calls/reserve.ts';
import { CLOSE } from '../../sockets/socket.ts';
import { LiveSession, type SessionStart } from '../session/liveSession.ts';
import { soundMsIn, toUpstream } from './passedEvents.ts';
import { PassedResponse, priceOfPassed } from './passedResponse.ts';
import { PromptEstimate, type BegunPrompt } from './promptEstimate.ts';
import { withCatalogName, withUpstreamsName } from './passedTranscription.ts';
import { SoundMeter } from '../input/soundMeter.ts';
import { rateLimitsOf } from '../answers/turns.ts';

// Responses out of band beside the one of the conversation.
const AT_ONCE_MAX = 4;

interface Running {
  response: PassedResponse;
  prompt: BegunPrompt;
  settled: Promise<void>;
}

/**
 * A session that an upstream leads, which speaks the protocol itself: events pass in both directions. Money is held before an event passes
 * that can start a response, and before sound does; each response is a paid call.
 */
export class PassedSession extends LiveSession {
  readonly #upstream: RealtimeUpstream;
  readonly #meter: SoundMeter;
  readonly #running = new Map<string, Running>();
  /** Money for responses that have not begun. */
  readonly #reserved: { price: Price; reserved: Reserved; sentTokens: number }[] = [];
  readonly #prompt: PromptEstimate;
  #session: Json;
  #isSpeaking = false;
  /** Sound of the turn that is not committed yet. */
  #turnMs = 0;
  #isEnded = false;

  constructor(start: SessionStart & { upstream: RealtimeUpstream }) {
    super(start);
    this.#upstream = start.upstream;
    this.#session = start.upstream.session;
    this.#prompt = new PromptEstimate(start.model.contextTokens);
    this.#meter = new SoundMeter(start, this.nextRequestId);
    this.#meterTranscription();
    start.upstream.onEvents((event) => this.#pass(event).catch((error: unknown) => this.#fail(error)));
    void start.upstream.closed.then((fault) => this.#onGone(fault));
  }

  protected async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all([this.responsesSettled(), this.#meter.end()]);
    await Promise.all(this.#reserved.splice(0).map((one) => this.#abandon(one)));
    this.#upstream.close();
  }

  protected async responsesSettled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ settled }) => settled));
  }

  protected shown(): object {
    const { client_secret: _secret, ...session } = withCatalogName(this.#session, this.#place).session;
    const model = this.start.session.type === 'realtime' ? this.start.session.model : this.start.model.id;
    return { ...session, object: 'realtime.session', ...this.labels(), model };
  }

  protected async handle(sent: Json, _eventId: string | null): Promise<void> {
    const { services, model, bound } = this.start;
    const checked = toUpstream(sent, (name) => services.catalog.find(name)?.id === model.id, bound);
    const event = await this.#transcribing(checked);
    const soundMs = soundMsIn(event);
    await this.#pay(event, soundMs);
    this.#countTurn(event, soundMs);
    if (this.#isEnded) return;
    this.#prompt.count(event, soundMs);
    await this.#upstream.send(event);
  }

  get #place() {
    return { catalog: this.start.services.catalog, upstream: this.#upstream.name };
  }

  /** An event with the upstream's name for a model of transcription, which is billed from now on. */
  async #transcribing(event: Json): Promise<Json> {
    if (event.type !== 'session.update' || !isObject(event.session)) return event;
    const { session, model } = withUpstreamsName(event.session, this.#place);
    if (model !== undefined) await this.#meter.transcribeBy(model ?? undefined, this.#turnMs);
    return { ...event, session };
  }

  /** Follows the session as the upstream has it. */
  #meterTranscription(): void {
    const { model } = withCatalogName(this.#session, this.#place);
    void this.#meter.transcribeBy(model ?? undefined, 0);
  }

  /** Before speech begins, a detector of turns drops what it hears. */
  #countTurn({ type }: Json, soundMs: number): void {
    if (type === 'input_audio_buffer.commit' || type === 'input_audio_buffer.clear') this.#turnMs = 0;
    else if (type === 'input_audio_buffer.append' && (this.#isSpeaking || !this.#detection)) this.#turnMs += soundMs;
  }

  get #detection(): Json | undefined {
    const { audio } = this.#session;
    const input = isObject(audio) && isObject(audio.input) ? audio.input : {};
    return isObject(input.turn_detection) ? input.turn_detection : undefined;
  }

  /** Holds the money for an event's sound and for what the upstream may answer to it: both or none. */
  async #pay(event: Json, soundMs: number): Promise<void> {
    const responses = event.type === 'response.create' ? 1 + this.#reserved.length : Number(this.#mayAnswer(event));
    const hold = () => this.#hold(responses);
    if (soundMs === 0) return hold();
    const isHeld = this.#reserved.length >= Math.min(responses, AT_ONCE_MAX);
    const { leastNanos } = priceOfPassed(this.start.model, this.#prompt.tokens);
    await this.#meter.take(soundMs, isHeld ? undefined : { hold, leastNanos });
  }

  /** Whether the upstream may answer an event by itself. */
  #mayAnswer({ type }: Json): boolean {
    return (type === 'input_audio_buffer.append' || type === 'input_audio_buffer.commit') && this.#answersItself;
  }

  get #answersItself(): boolean {
    return this.#detection !== undefined && this.#detection.create_response !== false;
  }

  /** Reserves money until so many responses can begin. */
  async #hold(responses: number): Promise<void> {
    while (this.#reserved.length < Math.min(responses, AT_ONCE_MAX)) {
      const one = await this.#reserveOne();
      // The client may have left while it waited for money.
      if (this.#isEnded) return this.#abandon(one);
      this.#reserved.push(one);
    }
  }

  async #reserveOne() {
    const { ctx, services, model } = this.start;
    const price = priceOfPassed(model, this.#prompt.tokens);
    const { sentTokens } = this.#prompt;
    const one = { price, sentTokens, reserved: await reserve(ctx.state, services, price) };
    one.reserved.held.onLost = () => void this.#reserved.splice(this.#reserved.indexOf(one), 1);
    return one;
  }

  async #pass(event: Json): Promise<void> {
    const type = String(event.type);
    const { response, response_id: id } = event;
    switch (type) {
      case 'response.created':
        return this.#begin(isObject(response) ? response : {});
      case 'response.done':
        return isObject(response) ? this.#finish(response) : undefined;
      case 'error':
        return this.#refused(event);
      case 'session.created':
      case 'session.updated':
        if (isObject(event.session)) this.#session = event.session;
        this.#meterTranscription();
        await this.emit(type, { ...event, session: this.shown() });
        return;
      case 'rate_limits.updated': {
        // Those of the upstream are the platform's own.
        const { ctx, services } = this.start;
        await this.emit(type, { ...event, rate_limits: await rateLimitsOf(ctx, services) });
        return;
      }
      case 'input_audio_buffer.speech_started':
      case 'input_audio_buffer.committed':
        this.#isSpeaking = type === 'input_audio_buffer.speech_started';
        this.#turnMs = 0;
        await this.emit(type, event);
        return;
      default:
        if (typeof id === 'string') return this.#running.get(id)?.response.take(event);
        // The conversation may repeat what could not be paid.
        if ([...this.#running.values()].some(({ response: { isOutOfMoney } }) => isOutOfMoney)) return;
        await this.emit(type, event);
    }
  }

  async #begin(created: Json): Promise<void> {
    const { services } = this.start;
    const startedAtMs = Date.now();
    const model = pricedAt(services, this.start.model, startedAtMs);
    const id = String(created.id);
    // Told twice: it has its call and its money.
    if (this.#running.has(id)) return;
    const cancelAtUpstream = () => void this.#upstream.send({ type: 'response.cancel', response_id: id });
    if (this.#isEnded) return cancelAtUpstream();
    try {
      const { price, reserved, sentTokens } = this.#reserved.shift() ?? (await this.#reserveOne());
      const emit = (type: string, members: object) => this.emit(type, members);
      const place = { upstream: this.#upstream.name, emit, cancelAtUpstream };
      const order = { ...place, model, startedAtMs, promptTokens: this.#prompt.tokens };
      const response = new PassedResponse(order, price, created);
      const settled = this.#settle(response, reserved).finally(() => this.#running.delete(id));
      const prompt = this.#prompt.begin(sentTokens, { mayBeAnother: this.#answersItself });
      this.#running.set(id, { response, prompt, settled });
    } catch (error) {
      cancelAtUpstream();
      throw error;
    }
  }

  async #settle(response: PassedResponse, reserved: Reserved): Promise<void> {
    const { ctx, services } = this.start;
    try {
      await runSocketCall(ctx, services, response, this.nextRequestId(), reserved);
      if (response.isOutOfMoney) throw await endedByMoney(ctx.state, services, response.neededNanos);
    } catch (error) {
      void this.refuse(error, null);
    }
  }

  /** Later events wait until the bill of a response is on disk, and its end is sent. */
  async #finish(done: Json): Promise<void> {
    const running = this.#running.get(String(done.id));
    if (!running) return;
    running.response.end(done);
    await running.settled;
    const { contextTokens } = running.response;
    if (contextTokens !== undefined) this.#prompt.end(running.prompt, contextTokens);
  }

  async #refused(event: Json): Promise<void> {
    const { code, event_id: about } = isObject(event.error) ? event.error : {};
    if (code === 'session_expired') return this.expire();
    // It may have refused a change of the session.
    this.#meterTranscription();
    await this.refuse(faultOfEvent(event), typeof about === 'string' ? about : null);
  }

  #fail(error: unknown): void {
    void this.refuse(error, null);
  }

  /** The upstream has closed its socket: what runs has failed, and the session ends. */
  async #onGone(fault: ProviderError): Promise<void> {
    const { ctx, services, socket } = this.start;
    for (const { response } of this.#running.values()) response.breakOff(fault);
    await this.responsesSettled();
    if (this.#isEnded) return;
    services.log.warn({ err: fault, requestId: ctx.state.requestId }, 'realtime upstream');
    socket.fail(asApiError(fault, ctx.state.requestId), fault.fault === 'overloaded' ? CLOSE.tryAgain : CLOSE.failed);
  }

  /** Money for a response that never began: its call is recorded as one that its client left before it ran. */
  async #abandon({ price, reserved }: { price: Price; reserved: Reserved }): Promise<void> {
    const { ctx, services, model } = this.start;
    const order = {
      model,
      startedAtMs: Date.now(),
      upstream: this.#upstream.name,
      emit: () => undefined,
      cancelAtUpstream: () => {},
      promptTokens: 0,
    };
    const call = new PassedResponse(order, price, {});
    await runSocketCall(ctx, services, call, this.nextRequestId(), reserved).catch(() => {});
  }
}
