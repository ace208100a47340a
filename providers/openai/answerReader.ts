import type { Dispatcher } from 'undici';
import type { IncomingHttpHeaders } from 'undici/types/header.d.ts';
import type { CallSignal, Json } from '../provider.ts';
import { BodyCollector } from './bodyCollector.ts';
import { faultOfStatus, faultOfTransport, parsePayload } from './faults.ts';

const answerBytesMax = 64 * 1024 * 1024;

/**
 * Receives one whole answer from undici's dispatcher and settles a promise with it. It is also the abort signal's listener:
 * one object for a call, because this runs for every request.
 */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Json) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #signal: CallSignal;
  readonly #body = new BodyCollector(answerBytesMax);
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(signal: CallSignal, resolve: (answer: Json) => void, reject: (reason: unknown) => void) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this);
  }

  /** The signal was aborted: the upstream's socket closes now, before or after the headers. */
  handleEvent(): void {
    this.#fail(this.#signal.reason);
    this.#controller?.abort(this.#signal.reason as Error);
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
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#body.push(chunk);
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener('abort', this);
    try {
      const text = this.#body.text();
      if (this.#status === 200) this.#resolve(parsePayload(text));
      else this.#fail(faultOfStatus(this.#status, this.#headers, text));
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(this.#signal.aborted ? this.#signal.reason : faultOfTransport(error, this.#status !== 0));
  }

  #fail(reason: unknown): void {
    this.#signal.removeEventListener('abort', this);
    this.#reject(reason);
  }
}
