import type { Json } from '../provider.ts';

/** The upstream's socket is paused at this many unread bytes. */
const UNREAD_BYTES_MAX = 64 * 1024;

interface Source {
  pause(): void;
  resume(): void;
  /** The reader has stopped reading. */
  cancel(): void;
}

/**
 * Passes items from a network callback to one `for await` reader. Items that arrived while the reader was busy are passed together. An
 * error follows the items that arrived before it.
 */
export class ItemQueue implements AsyncIterableIterator<Json[]> {
  readonly #source: Source;
  #unread: Json[] = [];
  #unreadBytes = 0;
  #paused = false;
  #ended = false;
  #failure: { reason: unknown } | undefined;
  #waiting: PromiseWithResolvers<IteratorResult<Json[]>> | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  push(items: Json[], bytes: number): void {
    if (items.length === 0 || this.#ended) return;
    if (this.#waiting) {
      this.#waiting.resolve({ value: items, done: false });
      this.#waiting = undefined;
      return;
    }
    this.#unread = this.#unread.length === 0 ? items : this.#unread.concat(items);
    this.#unreadBytes += bytes;
    if (this.#paused || this.#unreadBytes < UNREAD_BYTES_MAX) return;
    this.#paused = true;
    this.#source.pause();
  }

  end(): void {
    this.#ended = true;
    this.#waiting?.resolve({ value: undefined, done: true });
    this.#waiting = undefined;
  }

  fail(reason: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#waiting) this.#waiting.reject(reason);
    else this.#failure = { reason };
    this.#waiting = undefined;
  }

  next(): Promise<IteratorResult<Json[]>> {
    if (this.#unread.length > 0) return Promise.resolve({ value: this.#takeUnread(), done: false });
    if (this.#failure) {
      const { reason } = this.#failure;
      this.#failure = undefined;
      return Promise.reject(reason);
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** The reader left its loop. */
  return(): Promise<IteratorResult<Json[]>> {
    if (!this.#ended) this.#source.cancel();
    this.#unread = [];
    this.#failure = undefined;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #takeUnread(): Json[] {
    const items = this.#unread;
    this.#unread = [];
    this.#unreadBytes = 0;
    if (this.#paused) {
      this.#paused = false;
      this.#source.resume();
    }
    return items;
  }
}
