import type { IncomingHttpHeaders } from 'undici/types/header.d.ts';
import { ProviderError } from '../provider.ts';
import type { PlainChunk, Chunk } from '../plainChunk.ts';
import type { CallSignal, ChunkStream, Json } from '../provider.ts';
import { BodyCollector } from './bodyCollector.ts';
import { CallReader } from './callReader.ts';
import { ChunkQueue } from './chunkQueue.ts';
import { EventSplitter } from './eventSplitter.ts';
import { faultOfStatus, parsePayload } from './faults.ts';
import { KnownShapes } from './knownShapes.ts';
import { checkModel, readItem } from './readItem.ts';

const ERROR_BYTES_MAX = 64 * 1024;

/**
 * Receives one streamed answer from undici's dispatcher. The promise settles with the upstream's status; the chunks arrive in the queue. A
 * slow reader pauses the socket.
 */
export class StreamReader extends CallReader {
  readonly #resolve: (chunks: ChunkStream) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #splitter = new EventSplitter<PlainChunk>(new KnownShapes());
  readonly #queue: ChunkQueue;
  #arrived: Buffer[] = [];
  /** Set when the answer is an error's body instead of a stream. */
  #errorBody: BodyCollector | undefined;
  #sawDone = false;
  /** The index of each choice that has begun, and whether it has ended. */
  readonly #choices = new Map<unknown, boolean>();

  constructor(signal: CallSignal, resolve: (chunks: ChunkStream) => void, reject: (reason: unknown) => void) {
    super(signal);
    this.#resolve = resolve;
    this.#reject = reject;
    this.#queue = new ChunkQueue({
      pause: () => this.controller?.pause(),
      resume: () => this.controller?.resume(),
      cancel: () => this.#leave(),
    });
  }

  override onResponseStart(controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    super.onResponseStart(controller, status, headers);
    if (this.status === 0) return;
    if (status !== 200) {
      this.#errorBody = new BodyCollector(ERROR_BYTES_MAX);
      return;
    }
    if (!String(headers['content-type']).startsWith('text/event-stream')) {
      throw new ProviderError('failed', 'the upstream answered a streamed request without a stream');
    }
    this.#resolve(this.#queue);
  }

  /** Called for each piece of the body, of which one network read may bring many: they are read together, once it is over. */
  protected override receive(chunk: Buffer): void {
    if (this.#sawDone) throw new ProviderError('failed', 'the upstream went on after its last frame');
    if (this.#errorBody) return this.#errorBody.push(chunk);
    if (this.#arrived.push(chunk) === 1) process.nextTick(readArrivedOf, this);
  }

  onResponseEnd(): void {
    try {
      if (this.#errorBody) throw faultOfStatus(this.status, this.headers, this.#errorBody.text());
      this.#readArrived();
      this.#read(this.#splitter.end(), 0);
      if (!this.#sawDone && !this.#areFinished()) {
        throw new ProviderError('failed', "the upstream's stream ended before its last chunk");
      }
      this.#finish();
    } catch (error) {
      this.fail(error);
    }
  }

  override onResponseError(controller: unknown, error: Error): void {
    this.readArrived();
    super.onResponseError(controller, error);
  }

  /** Reads what has arrived; what is wrong with it ends the call. */
  readArrived(): void {
    try {
      this.#readArrived();
    } catch (error) {
      this.fail(error);
      this.controller?.abort(error as Error);
    }
  }

  #readArrived(): void {
    const [first, ...more] = this.#arrived;
    this.#arrived = [];
    if (!first || this.#sawDone) return;
    const bytes = more.length === 0 ? first : Buffer.concat([first, ...more]);
    this.#read(this.#splitter.push(bytes), bytes.length);
  }

  /** Output before a broken frame still reaches the reader: it was generated and is billed. */
  #read(events: (string | PlainChunk)[], bytes: number): void {
    // Known shapes are those of chunks with a choice.
    if (events.every(isPlain)) return this.#queue.push(events, bytes);
    const chunks: Chunk[] = [];
    try {
      for (const event of events) {
        if (this.#sawDone) break;
        if (isPlain(event)) chunks.push(event);
        else this.#readFrame(event, chunks);
      }
    } finally {
      this.#queue.push(chunks, bytes);
    }
    if (this.#sawDone) this.#finish();
  }

  #readFrame(text: string, chunks: Chunk[]): void {
    if (text === '[DONE]') {
      this.#sawDone = true;
      return;
    }
    const chunk = readItem(parsePayload(text));
    checkModel(chunk, this.signal.answersAs);
    for (const { index, finish_reason: reason } of choicesOf(chunk))
      this.#choices.set(index ?? 0, this.#choices.get(index ?? 0) === true || (reason ?? '') !== '');
    chunks.push(chunk);
  }

  /** The first chunk of a choice, and its last, have no known shape. */
  #areFinished(): boolean {
    return this.#choices.size > 0 && [...this.#choices.values()].every(Boolean);
  }

  #finish(): void {
    if (this.#choices.size === 0) throw new ProviderError('failed', "the upstream's stream ended without a choice");
    this.leaveSignal();
    this.#queue.end();
  }

  protected override refuse(reason: unknown): void {
    this.#arrived = [];
    this.#reject(reason);
    this.#queue.fail(reason);
  }

  #leave(): void {
    this.leaveSignal();
    this.controller?.abort(new Error('the reader left'));
  }
}

const readArrivedOf = (reader: StreamReader): void => reader.readArrived();

const isPlain = (event: string | PlainChunk): event is PlainChunk => typeof event !== 'string';

interface StreamedChoice {
  index?: unknown;
  finish_reason?: unknown;
}

const choicesOf = ({ choices }: Json): StreamedChoice[] =>
  Array.isArray(choices) ? (choices as StreamedChoice[]) : [];
