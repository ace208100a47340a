import { jsonOf, type Chunk } from '../plainChunk.ts';
import type { ChunkStream, Json, TakeChunks } from '../provider.ts';

/** The upstream's socket is paused at this many unread bytes. */
const UNREAD_BYTES_MAX = 64 * 1024;

interface Source {
  pause(): void;
  resume(): void;
  /** The reader has stopped reading. */
  cancel(): void;
}

interface End {
  failure?: { reason: unknown };
}

/**
 * Passes chunks from a network callback to one reader: at once while it does not wait. Chunks that arrived while it was busy are passed
 * together. An error follows the chunks that arrived before it.
 */
export class ChunkQueue implements ChunkStream {
  readonly #source: Source;
  #unread: Chunk[] = [];
  #unreadBytes = 0;
  #isPaused = false;
  #take: TakeChunks | undefined;
  #isBusy = false;
  /** Set once nothing more arrives: with the reason, where the stream broke. */
  #end: End | undefined;
  #begun: PromiseWithResolvers<void> | undefined;
  #over: PromiseWithResolvers<void> | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  push(chunks: Chunk[], bytes: number): void {
    if (chunks.length === 0 || this.#end) return;
    if (this.#take && !this.#isBusy) return this.#pass(chunks);
    this.#unread = this.#unread.length === 0 ? chunks : this.#unread.concat(chunks);
    this.#unreadBytes += bytes;
    this.#begun?.resolve();
    if (this.#isPaused || this.#unreadBytes < UNREAD_BYTES_MAX) return;
    this.#isPaused = true;
    this.#source.pause();
  }

  end(): void {
    this.#finish({});
  }

  fail(reason: unknown): void {
    this.#finish({ failure: { reason } });
  }

  begun(): Promise<void> {
    this.#begun = Promise.withResolvers();
    if (this.#unread.length > 0) this.#begun.resolve();
    else if (this.#end) settle(this.#begun, this.#end);
    return this.#begun.promise;
  }

  each(take: TakeChunks): Promise<void> {
    this.#take = take;
    this.#over = Promise.withResolvers();
    this.#goOn();
    return this.#over.promise;
  }

  cancel(): void {
    if (this.#end) return;
    this.#unread = [];
    // First: the source may report its end as a failure.
    this.#finish({});
    this.#source.cancel();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Json[]> {
    let read = Promise.withResolvers<Chunk[] | undefined>();
    let goOn = (): void => undefined;
    const take: TakeChunks = (chunks) => {
      read.resolve(chunks);
      return new Promise((resolve) => (goOn = resolve));
    };
    this.each(take).then(
      () => read.resolve(undefined),
      (error) => read.reject(error),
    );
    try {
      for (let chunks = await read.promise; chunks; chunks = await read.promise) {
        yield chunks.map(jsonOf);
        read = Promise.withResolvers();
        goOn();
      }
    } finally {
      this.cancel();
    }
  }

  #pass(chunks: Chunk[]): void {
    try {
      const busy = this.#take!(chunks);
      if (!busy) return;
      this.#isBusy = true;
      busy.then(
        () => this.#goOn(),
        (error) => this.#stop(error),
      );
    } catch (error) {
      this.#stop(error);
    }
  }

  /** The reader is ready: for the chunks that arrived while it was busy, or for the end. */
  #goOn(): void {
    const unread = this.#unread;
    this.#unread = [];
    this.#unreadBytes = 0;
    this.#isBusy = false;
    if (unread.length > 0) this.#pass(unread);
    // Only now: the source may push at once what it held back, which comes after these.
    this.#resume();
    if (this.#end && !this.#isBusy) settle(this.#over!, this.#end);
  }

  /** The reader has failed. */
  #stop(error: unknown): void {
    this.#over!.reject(error);
    this.cancel();
  }

  #finish(end: End): void {
    if (this.#end) return;
    this.#end = end;
    if (this.#begun) settle(this.#begun, end);
    if (this.#over && !this.#isBusy) settle(this.#over, end);
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#source.resume();
  }
}

function settle(waiting: PromiseWithResolvers<void>, { failure }: End): void {
  if (failure) waiting.reject(failure.reason);
  else waiting.resolve();
}
