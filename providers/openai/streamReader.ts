import type { Dispatcher } from 'undici';
import type { IncomingHttpHeaders } from 'undici/types/header.d.ts';
import { ProviderError } from '../provider.ts';
import type { CallSignal, Json } from '../provider.ts';
import { BodyCollector } from './bodyCollector.ts';
import { EventSplitter } from './eventSplitter.ts';
import { faultOfStatus, faultOfTransport, parsePayload } from './faults.ts';
import { ItemQueue } from './itemQueue.ts';

const errorBytesMax = 64 * 1024;

/**
 * Receives one streamed answer from undici's dispatcher. The promise settles with the upstream's status; the items arrive in
 * the queue. A reader who is slower than the upstream makes the socket wait.
 */
export class StreamReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (items: AsyncIterable<Json[]>) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #signal: CallSignal;
  readonly #splitter = new EventSplitter();
  readonly #queue: ItemQueue;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  /** Set when the answer is an error's body instead of a stream. */
  #errorBody: BodyCollector | undefined;
  #sawDone = false;
  #sawFinish = false;

  constructor(signal: CallSignal, resolve: (items: AsyncIterable<Json[]>) => void, reject: (reason: unknown) => void) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#queue = new ItemQueue({
      pause: () => this.#controller?.pause(),
      resume: () => this.#controller?.resume(),
      cancel: () => this.#close(new Error('the reader left')),
    });
    signal.addEventListener('abort', this);
  }

  /** The signal was aborted: the upstream's socket closes now, before or after the headers. */
  handleEvent(): void {
    this.#fail(this.#signal.reason);
    this.#close(this.#signal.reason as Error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted while it waited for a connection: nothing was sent yet, and a throw here keeps the connection for others.
    if (this.#signal.aborted) throw this.#signal.reason;
    this.#controller = controller;
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    // Early hints are no answer yet.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (status !== 200) {
      this.#errorBody = new BodyCollector(errorBytesMax);
      return;
    }
    if (!String(headers['content-type']).startsWith('text/event-stream')) {
      throw new ProviderError('failed', 'the upstream answered a streamed request without a stream');
    }
    this.#resolve(this.#queue);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#sawDone) throw new ProviderError('failed', 'the upstream went on after its last frame');
    if (this.#errorBody) this.#errorBody.push(chunk);
    else this.#read(this.#splitter.push(chunk), chunk.length);
  }

  onResponseEnd(): void {
    try {
      if (this.#errorBody) throw faultOfStatus(this.#status, this.#headers, this.#errorBody.text());
      this.#read(this.#splitter.end(), 0);
      if (!this.#sawDone && !this.#sawFinish) {
        throw new ProviderError('failed', "the upstream's stream ended before its last chunk");
      }
      this.#finish();
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(this.#signal.aborted ? this.#signal.reason : faultOfTransport(error, this.#status !== 0));
  }

  /** What was read before a broken frame still reaches the reader: it was produced, and is billed. */
  #read(texts: string[], bytes: number): void {
    const items: Json[] = [];
    try {
      for (const text of texts) {
        if (this.#sawDone) break;
        this.#readFrame(text, items);
      }
    } finally {
      this.#queue.push(items, bytes);
    }
    if (this.#sawDone) this.#finish();
  }

  #readFrame(text: string, items: Json[]): void {
    if (text === '[DONE]') {
      this.#sawDone = true;
      return;
    }
    const item = parsePayload(text);
    this.#sawFinish ||= hasFinished(item);
    items.push(item);
  }

  #finish(): void {
    this.#signal.removeEventListener('abort', this);
    this.#queue.end();
  }

  #fail(reason: unknown): void {
    this.#signal.removeEventListener('abort', this);
    this.#reject(reason);
    this.#queue.fail(reason);
  }

  #close(reason: Error): void {
    this.#signal.removeEventListener('abort', this);
    this.#controller?.abort(reason);
  }
}

function hasFinished(item: Json): boolean {
  const choices = item.choices as { finish_reason?: unknown }[] | undefined;
  return Array.isArray(choices) && choices.some((choice) => typeof choice?.finish_reason === 'string');
}
