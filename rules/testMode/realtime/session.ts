import type { WebSocket } from 'ws';
import { isObject } from '../../../base/json.ts';
import { SocketFlow } from '../../../base/socketFlow.ts';
import type { Json } from '../../../providers/provider.ts';
import type { TestFault } from '../../../providers/testFault.ts';
import { TEST_TRANSCRIPT } from '../../../providers/testMode/testTranscript.ts';
import { readItem, TestConversation, type TestItem } from './conversation.ts';
import { TestInput, type TurnDetection } from './input.ts';
import { newId, Refusal } from './protocol.ts';
import { TestResponse } from './response.ts';
import { changedSession, newSession } from './settings.ts';

const COMMITTED_MS_MIN = 100;
// In the conversation, and out of band.
const RESPONSES_AT_ONCE_MAX = 4;

/** A rule-based session of OpenAI's realtime protocol: the same events get the same answers. */
export class TestSession {
  readonly #ws: WebSocket;
  readonly #flow: SocketFlow;
  readonly #fault: TestFault | undefined;
  readonly #conversation = new TestConversation();
  readonly #input = new TestInput();
  readonly #running = new Set<TestResponse>();
  /** Resolves when all responses of the conversation so far have ended. */
  #last: Promise<void> = Promise.resolve();
  #session: Json;
  #turnItemId = newId('item');

  constructor(ws: WebSocket, { model, fault }: { model: string; fault: TestFault | undefined }) {
    this.#ws = ws;
    this.#flow = new SocketFlow(ws);
    this.#fault = fault;
    this.#session = newSession(model);
    this.#input.detection = this.#detection;
    this.#flow.onMessages((message) => this.#take(message));
    ws.once('close', () => {
      for (const response of this.#running) response.cancel('client_cancelled');
    });
  }

  begin(): void {
    void this.#emit('session.created', { session: this.#session });
  }

  readonly #emit = (type: string, members: object = {}): Promise<void> | undefined =>
    this.#flow.send({ type, event_id: newId('event'), ...members });

  #take(message: Buffer): void {
    let event: Json = {};
    try {
      event = JSON.parse(message.toString()) as Json;
      this.#handle(event);
    } catch (error) {
      this.#refuse(error, event.event_id);
    }
  }

  #refuse(error: unknown, about: unknown = null): void {
    const { code = 'invalid_value', param = null, message } = error as Partial<Refusal>;
    void this.#emit('error', { error: { type: 'invalid_request_error', code, message, param, event_id: about } });
  }

  #handle(event: Json): void {
    const { item_id } = event;
    switch (event.type) {
      case 'session.update':
        this.#session = changedSession(this.#session, isObject(event.session) ? event.session : {});
        this.#input.detection = this.#detection;
        return void this.#emit('session.updated', { session: this.#session });
      case 'input_audio_buffer.append':
        return this.#hear(Buffer.from(String(event.audio), 'base64'));
      case 'input_audio_buffer.commit':
        return this.#commitByHand();
      case 'input_audio_buffer.clear':
        this.#input.clear();
        return void this.#emit('input_audio_buffer.cleared');
      case 'conversation.item.create':
        return this.#add(readItem(event.item), event.previous_item_id);
      case 'conversation.item.retrieve':
        return void this.#emit('conversation.item.retrieved', { item: this.#conversation.find(item_id).shown });
      case 'conversation.item.delete':
        this.#conversation.remove(item_id);
        return void this.#emit('conversation.item.deleted', { item_id });
      case 'conversation.item.truncate': {
        const { content_index, audio_end_ms } = event;
        this.#conversation.truncate(item_id, content_index);
        return void this.#emit('conversation.item.truncated', { item_id, content_index, audio_end_ms });
      }
      case 'response.create':
        return this.#respond(isObject(event.response) ? event.response : {});
      case 'response.cancel':
        return this.#cancel(event.response_id);
      default:
        throw new Refusal('invalid_value', `There is no event '${String(event.type)}'.`, 'type');
    }
  }

  get #hearing(): Json {
    return (this.#session.audio as { input: Json }).input;
  }

  get #detection(): (TurnDetection & Json) | null {
    return this.#hearing.turn_detection as (TurnDetection & Json) | null;
  }

  #hear(sound: Buffer): void {
    for (const heard of this.#input.append(sound)) {
      const item_id = this.#turnItemId;
      if (heard.kind === 'started') {
        void this.#emit('input_audio_buffer.speech_started', { audio_start_ms: heard.atMs, item_id });
        if (this.#detection?.interrupt_response !== false) this.#inBand?.cancel('turn_detected');
        continue;
      }
      void this.#emit('input_audio_buffer.speech_stopped', { audio_end_ms: heard.atMs, item_id });
      this.#commit(heard.soundMs);
      if (this.#detection?.create_response !== false && !this.#inBand) this.#respond({});
    }
  }

  #commitByHand(): void {
    const { heldMs } = this.#input;
    if (heldMs < COMMITTED_MS_MIN)
      throw new Refusal('input_audio_buffer_commit_empty', `The input buffer has less than ${COMMITTED_MS_MIN} ms.`);
    this.#input.clear();
    this.#commit(heldMs);
    if (this.#detection && this.#detection.create_response !== false && !this.#inBand) this.#respond({});
  }

  /** The buffer's content becomes an item, which is transcribed if the session asks for it. */
  #commit(soundMs: number): void {
    const id = this.#turnItemId;
    this.#turnItemId = newId('item');
    const { transcription } = this.#hearing;
    const previous = this.#conversation.items.at(-1)?.shown.id ?? null;
    void this.#emit('input_audio_buffer.committed', { item_id: id, previous_item_id: previous });
    const content = [{ type: 'input_audio', transcript: TEST_TRANSCRIPT }];
    const { shown } = readItem({ id, type: 'message', role: 'user', content });
    this.#add({ shown, soundMs });
    if (!transcription) return;
    const place = { item_id: id, content_index: 0 };
    const event = 'conversation.item.input_audio_transcription';
    void this.#emit(`${event}.delta`, { ...place, delta: TEST_TRANSCRIPT });
    const usage = { type: 'duration', seconds: Math.round(soundMs) / 1_000 };
    void this.#emit(`${event}.completed`, { ...place, transcript: TEST_TRANSCRIPT, usage });
  }

  #add(item: TestItem, after?: unknown): void {
    const previous_item_id = this.#conversation.add(item, after);
    for (const type of ['conversation.item.added', 'conversation.item.done'])
      void this.#emit(type, { previous_item_id, item: item.shown });
  }

  /** The running response of the conversation. */
  get #inBand(): TestResponse | undefined {
    return [...this.#running].find(({ isCancelled, isOutOfBand }) => !isCancelled && !isOutOfBand);
  }

  #respond(asked: Json): void {
    const isOutOfBand = asked.conversation === 'none';
    if (!isOutOfBand && this.#inBand)
      throw new Refusal('conversation_already_has_active_response', 'A response is in progress. Cancel it, or wait.');
    if (this.#running.size >= RESPONSES_AT_ONCE_MAX)
      throw new Refusal('too_many_responses', `A session has ${RESPONSES_AT_ONCE_MAX} responses at once at most.`);
    const given = Array.isArray(asked.input) ? this.#given(asked.input as Json[]) : undefined;
    const { input: _input, conversation: _conversation, ...manner } = asked;
    const response = new TestResponse({
      settings: changedSession(this.#session, manner),
      items: () => given ?? this.#conversation.items,
      conversation: isOutOfBand ? null : this.#conversation,
      fault: this.#fault,
      emit: this.#emit,
      breaks: (how) => (how === 'cut_stream' ? this.#ws.terminate() : this.#ws.send('{"type": "response.')),
    });
    this.#running.add(response);
    const ran = (isOutOfBand ? Promise.resolve() : this.#last)
      .then(() => response.run())
      // The client's script cannot be read.
      .catch((error: unknown) => this.#refuse(error))
      .finally(() => this.#running.delete(response));
    if (!isOutOfBand) this.#last = ran;
  }

  #given(input: Json[]): TestItem[] {
    return input.map((item) => (item.type === 'item_reference' ? this.#conversation.find(item.id) : readItem(item)));
  }

  #cancel(id: unknown): void {
    const running = id ? [...this.#running].find((one) => one.id === id) : this.#inBand;
    if (!running || running.isCancelled)
      throw new Refusal('response_cancel_not_active', 'There is no response in progress.', 'response_id');
    running.cancel('client_cancelled');
  }
}
