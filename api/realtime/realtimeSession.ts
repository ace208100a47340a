import { newId } from '../../db/ids.ts';
import type { Json } from '../../providers/provider.ts';
import { invalidValue } from '../../base/errors/invalidRequest.ts';
import { voiceOrder } from './answers/answerOrder.ts';
import { withoutBound } from './session/boundSession.ts';
import { checkEvent } from './session/clientEvents.ts';
import { Conversation } from './session/conversation.ts';
import { Hearing } from './input/hearing.ts';
import { COMMITTED_MS_MIN, InputBuffer, type Heard } from './input/inputBuffer.ts';
import { itemOf, placeOfOrphan, soundOf, soundsIn, withoutCall, type Item, type NewItem } from './session/items.ts';
import { LiveSession, type SessionStart } from './session/liveSession.ts';
import { SESSION_OBJECTS, changedSession, parseSession, type Session } from './session/sessionConfig.ts';
import { SoundMeter } from './input/soundMeter.ts';
import { Turns } from './answers/turns.ts';

/** A session of the realtime protocol that is made of the service's own models. */
export class RealtimeConnection extends LiveSession {
  readonly #conversation = new Conversation();
  readonly #input: InputBuffer;
  readonly #meter: SoundMeter;
  readonly #hearing: Hearing;
  readonly #turns: Turns;
  #session: Session;

  constructor(start: SessionStart) {
    super(start);
    this.#session = start.session;
    const { ctx, services, model } = start;
    const { abort, nextRequestId } = this;
    const emit = (type: string, members: object) => this.emit(type, members);
    this.#input = new InputBuffer(start.session.audio.input.turn_detection, services);
    this.#meter = new SoundMeter(start, nextRequestId, () => this.#endTurn());
    this.#hearing = new Hearing({ services, model, meter: this.#meter, abort, emit });
    void this.#meter.transcribeBy(this.#hearing.modelOf(start.session), 0);
    this.#turns = new Turns({
      ctx,
      services,
      model,
      conversation: this.#conversation,
      hearing: this.#hearing,
      emit,
      nextRequestId,
      session: () => this.#session,
      onError: (error, eventId) => void this.refuse(error, eventId),
      onSilence: () => this.#onSilence(),
    });
  }

  protected async end(): Promise<void> {
    this.#turns.close();
    // A response may be paying for the sound that it is about.
    await this.#turns.settled();
    await this.#meter.end();
    await this.#input.close();
  }

  protected async responsesSettled(): Promise<void> {
    await this.#endTurn();
    await this.#turns.settled();
  }

  protected override expire(): void {
    void this.#endTurn().then(() => super.expire());
  }

  protected async handle(sent: Json, eventId: string | null): Promise<void> {
    const event = checkEvent(sent);
    switch (event.type) {
      case 'session.update':
        return this.#update(event.session);
      case 'input_audio_buffer.append':
        return this.#append(event.audio);
      case 'input_audio_buffer.commit': {
        const { itemId, samples } = this.#input.commit();
        this.#commit(itemId, samples);
        return this.#hearing.room();
      }
      case 'input_audio_buffer.clear':
        this.#input.clear();
        this.#meter.dropTurn();
        return void this.emit('input_audio_buffer.cleared', {});
      case 'conversation.item.create':
        return this.#create(event.item, event.previous_item_id);
      case 'conversation.item.retrieve':
        return void this.emit('conversation.item.retrieved', { item: this.#conversation.find(event.item_id) });
      case 'conversation.item.delete':
        this.#conversation.remove(event.item_id);
        return void this.emit('conversation.item.deleted', { item_id: event.item_id });
      case 'conversation.item.truncate': {
        const { item_id, content_index, audio_end_ms } = event;
        this.#conversation.truncate(item_id, { contentIndex: content_index, audioEndMs: audio_end_ms });
        return void this.emit('conversation.item.truncated', { item_id, content_index, audio_end_ms });
      }
      case 'response.create':
        return this.#turns.begin(withoutBound(event.response ?? {}, this.start.bound), eventId);
      case 'response.cancel':
        return this.#turns.cancel(event.response_id ?? undefined);
      default:
        return event satisfies never;
    }
  }

  async #update(sent: unknown): Promise<void> {
    const { ctx, services, model, bound } = this.start;
    const said = parseSession(sent);
    if (said.type === 'realtime' && said.model && services.catalog.find(said.model)?.id !== model.id)
      throw invalidValue('session.model', `The model of a session cannot change: it is '${model.id}'.`);
    const wanted = changedSession(this.#session, said);
    const session = bound ? changedSession(wanted, bound) : wanted;
    this.#hearing.check(session);
    if (session.type === 'realtime') await voiceOrder({ ctx, services, model, session }, {}, 'session');
    await this.#meter.transcribeBy(this.#hearing.modelOf(session), this.#input.heldMs);
    this.#session = session;
    this.#input.detection = session.audio.input.turn_detection;
    void this.emit('session.updated', { session: this.shown() });
  }

  async #append(audio: string): Promise<void> {
    const bytes = soundOf(audio, 'audio');
    const paid = this.#meter.takeBytes(bytes);
    if (paid) await paid;
    for (const heard of await this.#input.append(bytes)) this.#onHeard(heard);
    if (this.#session.audio.input.turn_detection !== null && !this.#input.isSpeaking) this.#meter.billSilence();
    const full = this.#hearing.room();
    if (full) await full;
  }

  #onHeard(heard: Heard): void {
    const detection = this.#session.audio.input.turn_detection;
    if (heard.kind === 'started') {
      void this.emit('input_audio_buffer.speech_started', { audio_start_ms: heard.atMs, item_id: heard.itemId });
      this.#hearing.prepare(this.#session);
      this.#turns.onSpeech({ interrupts: detection?.interrupt_response !== false });
      return;
    }
    void this.emit('input_audio_buffer.speech_stopped', { audio_end_ms: heard.atMs, item_id: heard.itemId });
    this.#commit(heard.itemId, heard.samples);
    if (this.#session.type === 'realtime' && detection?.create_response !== false) this.#turns.follow();
  }

  /** A session that only transcribes writes down what it has got. Resolves when all turns are written down or have failed. */
  #endTurn(): Promise<void> {
    const { type, audio } = this.#session;
    const isInTurn = audio.input.turn_detection === null || this.#input.isSpeaking;
    if (type === 'transcription' && isInTurn && this.#input.heldMs >= COMMITTED_MS_MIN) {
      const { itemId, samples } = this.#input.commit();
      this.#commit(itemId, samples);
    }
    return this.#hearing.ended();
  }

  #commit(itemId: string, samples: Int16Array[]): void {
    this.#hearing.hear(this.#addSpoken(itemId), samples, this.#session);
  }

  /** Adds an item for what the buffer held. */
  #addSpoken(itemId: string): Item {
    const previous = this.#conversation.items.at(-1)?.id ?? null;
    void this.emit('input_audio_buffer.committed', { previous_item_id: previous, item_id: itemId });
    const content = [{ type: 'input_audio', transcript: null }];
    const item = itemOf({ id: itemId, type: 'message', role: 'user', content } as NewItem);
    this.#add(item);
    return item;
  }

  /** The user has said nothing for as long as the session waits: the silence becomes an item, and is answered. */
  #onSilence(): void {
    const idleMs = this.#session.audio.input.turn_detection?.idle_timeout_ms ?? null;
    // The user may have begun to speak before the response ended.
    if (idleMs === null || this.#input.isSpeaking) return;
    const itemId = newId('item');
    const endMs = this.#input.endMs;
    const at = { audio_start_ms: Math.max(0, endMs - idleMs), audio_end_ms: endMs };
    void this.emit('input_audio_buffer.timeout_triggered', { ...at, item_id: itemId });
    this.#addSpoken(itemId);
    this.#turns.follow();
  }

  /** Adds an item of the client, and reads the sound in it. */
  async #create(sent: NewItem, previousItemId: string | null | undefined): Promise<void> {
    const sounds = soundsIn(sent, 'item');
    const item = itemOf(sent);
    if (placeOfOrphan([item], this.#conversation.items) !== -1) throw withoutCall('item.call_id');
    this.#add(item, previousItemId);
    if (sounds.length === 0) return;
    await this.#hearing.hearSent(item, sounds, this.#session);
    await this.#hearing.room();
  }

  #add(item: Item, previousItemId?: string | null): void {
    const previous_item_id = this.#conversation.add(item, previousItemId);
    void this.emit('conversation.item.added', { previous_item_id, item });
    void this.emit('conversation.item.done', { previous_item_id, item });
  }

  protected shown(): object {
    return { object: SESSION_OBJECTS[this.#session.type], ...this.labels(), ...this.#session };
  }
}
