import type { Dispatcher } from 'undici';
import type { IncomingHttpHeaders } from 'undici/types/header.d.ts';
import type { CallSignal } from '../provider.ts';
import { faultOfTransport } from './faults.ts';
import type { SilenceLimits, SilenceWatch } from './silenceWatch.ts';

/**
 * Common behaviour of all readers of an upstream's answer: stores the answer's head, and ends the call when its caller aborts or its upstream
 * is silent for too long. It is also the abort signal's listener: one object per call, because this runs for every request.
 */
export abstract class CallReader implements Dispatcher.DispatchHandler {
  protected readonly signal: CallSignal;
  protected controller: Dispatcher.DispatchController | undefined = undefined;
  /** 0 until the head has arrived. */
  protected status = 0;
  protected headers: IncomingHttpHeaders = {};
  listedAt: number | undefined = undefined;
  heardAtTick = 0;
  headAtTick: number | undefined = undefined;
  #watch: SilenceWatch | undefined = undefined;
  #limits: SilenceLimits | undefined = undefined;

  constructor(signal: CallSignal) {
    this.signal = signal;
    signal.addEventListener('abort', this);
  }

  /** Limits its upstream's silence. Call it before the request is sent. */
  limit(watch: SilenceWatch, limits: SilenceLimits): this {
    this.#watch = watch;
    this.#limits = limits;
    return this;
  }

  get silenceMaxMs(): number | undefined {
    if (this.controller?.paused) return undefined;
    return this.hasHead ? this.#limits?.idleMs : this.#limits?.headMs;
  }

  get bodyMaxMs(): number | undefined {
    return this.#limits?.bodyMs;
  }

  get hasHead(): boolean {
    return this.status !== 0;
  }

  /** Rejects the call. */
  protected abstract refuse(reason: unknown): void;

  /** Takes a part of the answer's body. */
  protected abstract receive(chunk: Buffer): void;

  /** The signal was aborted: the upstream's socket closes now, before or after the headers. */
  handleEvent(): void {
    this.fail(this.signal.reason);
    this.controller?.abort(this.signal.reason as Error);
  }

  giveUp(error: Error): void {
    this.controller!.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted while it waited for a connection: nothing was sent yet, and throwing here keeps the connection for others.
    if (this.signal.aborted) throw this.signal.reason;
    this.controller = controller;
    this.#watch?.add(this);
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    this.#hear();
    // Early hints are not an answer.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.headAtTick = this.#watch?.ticks;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#hear();
    this.receive(chunk);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(this.signal.aborted ? this.signal.reason : faultOfTransport(error, this.hasHead));
  }

  protected fail(reason: unknown): void {
    this.leaveSignal();
    this.refuse(reason);
  }

  /** The call is over: nothing ends it any more. */
  protected leaveSignal(): void {
    this.signal.removeEventListener('abort', this);
    this.#watch?.delete(this);
  }

  #hear(): void {
    if (this.#watch) this.heardAtTick = this.#watch.ticks;
  }
}
