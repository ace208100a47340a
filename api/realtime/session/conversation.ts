import { MIB } from '../../../base/limits.ts';
import { InvalidRequest, invalidValue } from '../../../base/errors/invalidRequest.ts';
import { createTokenMemory } from '../../../providers/metering/tokens.ts';
import { sizeOf, type Item } from './items.ts';

const ITEMS_MAX = 2_000;
const CHARACTERS_MAX = MIB;

/** A spoken sentence of an answer, and when it ends in the answer's sound. */
export interface SpokenPart {
  text: string;
  endMs: number;
}

/** The items of a session, in order. The oldest ones leave when there are too many: a session's memory is bounded. */
export class Conversation {
  readonly #items: Item[] = [];
  /** What was spoken of an answer, by the item's id: for cutting what the user has not heard. */
  readonly #spoken = new Map<string, SpokenPart[]>();
  readonly #truncated = new WeakSet<Item>();
  /** Counts the tokens of a text: each answer needs those of the whole conversation, of which most was there before. */
  readonly countOnce = createTokenMemory(ITEMS_MAX);

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Adds an item after another one, at the start (`root`), or at the end. Returns the id of the item before it. */
  add(item: Item, previousItemId?: string | null): string | null {
    if (this.#items.some(({ id }) => id === item.id))
      throw invalidValue('item.id', `The item '${item.id}' exists already.`);
    const after = previousItemId ?? null;
    const at =
      after === null ? this.#items.length : after === 'root' ? 0 : this.#placeOf(after, 'previous_item_id') + 1;
    this.#items.splice(at, 0, item);
    while (this.#items.length > 1 && this.#isFull()) this.remove(this.#items[0]!.id);
    return this.before(item.id);
  }

  /** The item with this id. Throws `item_not_found`. */
  find(id: string, param = 'item_id'): Item {
    return this.#items[this.#placeOf(id, param)]!;
  }

  /** The id of the item before this one; null for the first, and for one that is gone. */
  before(id: string): string | null {
    return this.#items[this.#items.findIndex((item) => item.id === id) - 1]?.id ?? null;
  }

  #isFull(): boolean {
    const characters = this.#items.reduce((sum, item) => sum + sizeOf(item), 0);
    return this.#items.length > ITEMS_MAX || characters > CHARACTERS_MAX;
  }

  remove(id: string): void {
    this.#items.splice(this.#placeOf(id, 'item_id'), 1);
    this.#spoken.delete(id);
  }

  /** Keeps what is spoken of an answer, so that it can be truncated; `parts` grows with the answer. */
  keepSpoken(id: string, parts: SpokenPart[]): void {
    this.#spoken.set(id, parts);
  }

  /** Cuts an answer to what was heard of it by a moment of its sound. */
  truncate(id: string, { contentIndex, audioEndMs }: { contentIndex: number; audioEndMs: number }): void {
    const item = this.find(id);
    const part = item.type === 'message' && item.role === 'assistant' ? item.content[contentIndex] : undefined;
    const spoken = this.#spoken.get(id);
    if (spoken && !part) throw invalidValue('content_index', `The item '${id}' has no content ${contentIndex}.`);
    if (part?.type !== 'output_audio' || !spoken)
      throw invalidValue('item_id', `The item '${id}' has no spoken content to truncate.`);
    const lengthMs = spoken.at(-1)?.endMs ?? 0;
    // Clients interrupt an answer while it is made: they may have heard a part whose length is not known yet.
    if (audioEndMs > lengthMs && item.status !== 'in_progress')
      throw invalidValue(
        'audio_end_ms',
        `The audio of the item has ${lengthMs} ms, which is less than ${audioEndMs} ms.`,
      );
    const heard = heardBy(spoken, audioEndMs);
    part.transcript = heard.map(({ text }) => text).join('');
    this.#spoken.set(id, heard);
    this.#truncated.add(item);
  }

  /** Whether an answer was truncated: what is still made of it was not heard. */
  isTruncated(item: Item): boolean {
    return this.#truncated.has(item);
  }

  #placeOf(id: string, param: string): number {
    const at = this.#items.findIndex((item) => item.id === id);
    if (at === -1)
      throw new InvalidRequest('item_not_found', param, `The conversation has no item '${id.slice(0, 64)}'.`);
    return at;
  }
}

/** The sentences up to a moment; the last one up to the word that was being spoken. */
function heardBy(spoken: SpokenPart[], audioEndMs: number): SpokenPart[] {
  const heard: SpokenPart[] = [];
  let startMs = 0;
  for (const part of spoken) {
    if (part.endMs <= audioEndMs) heard.push(part);
    else {
      const share = (audioEndMs - startMs) / (part.endMs - startMs);
      const text = part.text.slice(0, Math.floor(part.text.length * Math.max(0, share))).replace(/(?<!\S)\S*$/, '');
      if (text !== '') heard.push({ text, endMs: audioEndMs });
      break;
    }
    startMs = part.endMs;
  }
  return heard;
}
