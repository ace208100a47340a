import { newId } from '../../../db/ids.ts';
import type { Conversation, SpokenPart } from './conversation.ts';
import type { Item } from './items.ts';

/** Sends an event to the client; resolves when there is room for more. */
export type Emit = (type: string, members: object) => Promise<void> | undefined;

type Message = Extract<Item, { type: 'message' }>;
type Call = Extract<Item, { type: 'function_call' }>;

interface OutputOptions {
  responseId: string;
  isSpoken: boolean;
  /** Where the items go; null for a response out of band. */
  conversation: Conversation | null;
  emit: Emit;
}

/** The output of one response as it grows: its items, and their events in the vendor's order. A message is whole before calls begin. */
export class OutputItems {
  readonly items: Item[] = [];
  readonly #options: OutputOptions;
  readonly #spoken: SpokenPart[] = [];
  #message: Message | undefined;
  /** Text was written that will be spoken: the message precedes later calls. */
  #awaitsMessage = false;
  #calls: { index: number; id: string; item: Call }[] = [];

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** Adds written text to the message. */
  write(delta: string): Promise<void> | undefined {
    const message = this.#openMessage();
    message.content[0]!.text += delta;
    return this.#emit('response.output_text.delta', message, { content_index: 0, delta });
  }

  /** Text was written, which is said later. */
  awaitMessage(): void {
    this.#awaitsMessage = true;
  }

  /** Adds a sentence to the transcript of the message, before its sound. */
  say(delta: string): Promise<void> | undefined {
    const message = this.#openMessage();
    if (!this.#options.conversation?.isTruncated(message)) message.content[0]!.transcript += delta;
    return this.#emit('response.output_audio_transcript.delta', message, { content_index: 0, delta });
  }

  /** Adds sound to the message, as 16-bit samples at 24 kHz. */
  sound(samples: Buffer): Promise<void> | undefined {
    const delta = samples.toString('base64');
    return this.#emit('response.output_audio.delta', this.#openMessage(), { content_index: 0, delta });
  }

  /** The sound of a sentence is complete at this moment of the answer. */
  markSpoken(part: SpokenPart): void {
    this.#spoken.push(part);
  }

  /** Adds a piece of a function call, which the upstream numbers. */
  call({ index, id, name, written }: { index: number; id: string; name: string; written: string }): void {
    let call = this.#calls.find((one) => one.index === index && (id === '' || one.id === id));
    if (!call) {
      const labels = { id: newId('item'), object: 'realtime.item', status: 'in_progress' } as const;
      const item: Call = { ...labels, type: 'function_call', call_id: id || newId('call'), name, arguments: '' };
      this.#calls.push((call = { index, id, item }));
      if (!this.#message && !this.#awaitsMessage) this.#add(item);
    }
    call.item.arguments += written;
    if (this.items.includes(call.item)) this.#emitCall(call.item, written);
  }

  /** Ends all items. */
  end(status: 'completed' | 'incomplete'): void {
    if (this.#message) this.#endMessage(this.#message, status);
    for (const { item } of this.#calls) {
      if (!this.items.includes(item)) {
        const whole = item.arguments;
        item.arguments = '';
        this.#add(item);
        item.arguments = whole;
        this.#emitCall(item, whole);
      }
      const { call_id, name, arguments: whole } = item;
      void this.#emit('response.function_call_arguments.done', item, { call_id, name, arguments: whole });
      this.#done(item, status);
    }
  }

  #emitCall(item: Call, delta: string): void {
    if (delta !== '') void this.#emit('response.function_call_arguments.delta', item, { call_id: item.call_id, delta });
  }

  #openMessage(): Message {
    if (this.#message) return this.#message;
    const { isSpoken, conversation } = this.#options;
    const labels = { id: newId('item'), object: 'realtime.item', status: 'in_progress' } as const;
    const message: Message = { ...labels, type: 'message', role: 'assistant', content: [] };
    this.#message = message;
    this.#add(message);
    if (isSpoken) conversation?.keepSpoken(message.id, this.#spoken);
    const part = isSpoken ? { type: 'output_audio', transcript: '' } : { type: 'output_text', text: '' };
    message.content.push(part);
    const shown = isSpoken ? { type: 'audio', transcript: '' } : { type: 'text', text: '' };
    void this.#emit('response.content_part.added', message, { content_index: 0, part: shown });
    return message;
  }

  #endMessage(message: Message, status: 'completed' | 'incomplete'): void {
    const { text, transcript } = message.content[0]!;
    const place = { content_index: 0 };
    if (this.#options.isSpoken) {
      void this.#emit('response.output_audio.done', message, place);
      void this.#emit('response.output_audio_transcript.done', message, { ...place, transcript });
      void this.#emit('response.content_part.done', message, { ...place, part: { type: 'audio', transcript } });
    } else {
      void this.#emit('response.output_text.done', message, { ...place, text });
      void this.#emit('response.content_part.done', message, { ...place, part: { type: 'text', text } });
    }
    this.#done(message, status);
  }

  #add(item: Item): void {
    const { conversation, responseId, emit } = this.#options;
    this.items.push(item);
    void emit('response.output_item.added', { response_id: responseId, output_index: this.items.length - 1, item });
    if (conversation) void emit('conversation.item.added', { previous_item_id: conversation.add(item), item });
  }

  #done(item: Item, status: 'completed' | 'incomplete'): void {
    const { conversation, responseId, emit } = this.#options;
    item.status = status;
    void emit('response.output_item.done', { response_id: responseId, output_index: this.items.indexOf(item), item });
    if (conversation) void emit('conversation.item.done', { previous_item_id: conversation.before(item.id), item });
  }

  #emit(type: string, item: Item, members: object): Promise<void> | undefined {
    const { responseId, emit } = this.#options;
    return emit(type, {
      response_id: responseId,
      item_id: item.id,
      output_index: this.items.indexOf(item),
      ...members,
    });
  }
}
