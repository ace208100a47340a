import type { Dispatcher } from 'undici';
import type { IncomingHttpHeaders } from 'undici/types/header.d.ts';
import type { CallSignal } from '../provider.ts';
import { faultOfTransport } from './faults.ts';

/**
 * Common behaviour of all readers of an upstream's answer: stores the answer's head, and ends the call when its caller aborts. It is also
 * the abort signal's listener: one object per call, because this runs for every request.
 */
export abstract class CallReader implements Dispatcher.DispatchHandler {
  protected readonly signal: CallSignal;
  protected controller: Dispatcher.DispatchController | undefined;
  /** 0 until the head has arrived. */
  protected status = 0;
  protected headers: IncomingHttpHeaders = {};

  constructor(signal: CallSignal) {
    this.signal = signal;
    signal.addEventListener('abort', this);
  }

  /** Rejects the call. */
  protected abstract refuse(reason: unknown): void;

  /** The signal was aborted: the upstream's socket closes now, before or after the headers. */
  handleEvent(): void {
    this.fail(this.signal.reason);
    this.controller?.abort(this.signal.reason as Error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted while it waited for a connection: nothing was sent yet, and throwing here keeps the connection for others.
    if (this.signal.aborted) throw this.signal.reason;
    this.controller = controller;
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    // Early hints are not an answer.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(this.signal.aborted ? this.signal.reason : faultOfTransport(error, this.status !== 0));
  }

  protected fail(reason: unknown): void {
    this.leaveSignal();
    this.refuse(reason);
  }

  protected leaveSignal(): void {
    this.signal.removeEventListener('abort', this);
  }
}
