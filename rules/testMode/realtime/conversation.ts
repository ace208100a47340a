import { isObject } from '../../../base/json.ts';
import { MIB } from '../../../base/limits.ts';
import type { Json } from '../../../providers/provider.ts';
import { TEST_TRANSCRIPT } from '../../../providers/testMode/testTranscript.ts';
import { newId, Refusal } from './protocol.ts';

const BYTES_A_MS = 48;
// The oldest items are dropped beyond this: a session's memory is bounded.
const ITEMS_MAX = 1_000;
const CHARACTERS_MAX = MIB;
const ITEM_TYPES = ['message', 'function_call', 'function_call_output'];

/** An item of a test session, and the duration of its audio. Audio itself is not kept. */
export interface TestItem {
  shown: Json & { id: string };
  soundMs: number;
}

/** Reads an item as a client sends it: audio in it becomes the test transcript. Throws `Refusal`. */
export function readItem(sent: unknown): TestItem {
  if (!isObject(sent) || !ITEM_TYPES.includes(String(sent.type)))
    throw new Refusal('invalid_value', `The type of an item is one of ${ITEM_TYPES.join(', ')}.`, 'item.type');
  let soundMs = 0;
  const content = partsOf(sent).map(({ audio, ...part }) => {
    if (typeof audio !== 'string') return part;
    soundMs += Buffer.byteLength(audio, 'base64') / BYTES_A_MS;
    return { transcript: TEST_TRANSCRIPT, ...part };
  });
  const id = typeof sent.id === 'string' ? sent.id : newId('item');
  const labels = { id, object: 'realtime.item', status: 'completed' };
  return { shown: { ...sent, ...(Array.isArray(sent.content) && { content }), ...labels }, soundMs };
}

/** The items of a test session, in order. */
export class TestConversation {
  readonly id = newId('conv');
  readonly #items: TestItem[] = [];

  get items(): readonly TestItem[] {
    return this.#items;
  }

  /** Adds an item after a given item, `root` for the first place, or as the last item; returns the id of its predecessor. */
  add(item: TestItem, after?: unknown): string | null {
    const { id } = item.shown;
    if (this.#items.some(({ shown }) => shown.id === id))
      throw new Refusal('invalid_value', `The item '${id}' exists already.`, 'item.id');
    const last = this.#items.length;
    const at = after === 'root' ? 0 : typeof after === 'string' ? this.#items.indexOf(this.find(after)) + 1 : last;
    const previous = this.#items[at - 1]?.shown.id ?? null;
    this.#items.splice(at, 0, item);
    while (this.#items.length > 1 && this.#isFull()) this.#items.shift();
    return previous;
  }

  #isFull(): boolean {
    const characters = this.#items.reduce((sum, { shown }) => sum + JSON.stringify(shown).length, 0);
    return this.#items.length > ITEMS_MAX || characters > CHARACTERS_MAX;
  }

  /** Throws `Refusal` if there is no such item. */
  find(id: unknown): TestItem {
    const item = this.#items.find(({ shown }) => shown.id === id);
    if (item) return item;
    throw new Refusal('item_not_found', `There is no item '${String(id)}' in this conversation.`, 'item_id');
  }

  remove(id: unknown): void {
    this.#items.splice(this.#items.indexOf(this.find(id)), 1);
  }

  /** Drops the text of a part, as when its listener interrupted it. */
  truncate(id: unknown, contentIndex: unknown): void {
    const part = partsOf(this.find(id).shown)[Number(contentIndex)];
    if (part) delete part.transcript;
  }
}

/** Items as messages of a chat. */
export function messagesOf(items: readonly TestItem[]): Json[] {
  return items.map(({ shown }) => {
    const { type, role, call_id: callId, name, arguments: given, output } = shown;
    if (type === 'function_call_output') return { role: 'tool', tool_call_id: callId, content: output };
    if (type === 'message') return { role, content: partsOf(shown).map(saidIn).join('\n') };
    const call = { id: callId, type: 'function', function: { name, arguments: given } };
    return { role: 'assistant', content: null, tool_calls: [call] };
  });
}

const partsOf = ({ content }: Json): Json[] => (Array.isArray(content) ? (content as unknown[]).filter(isObject) : []);
const saidIn = ({ text, transcript }: Json): string =>
  [text, transcript].find((said): said is string => typeof said === 'string') ?? '';
