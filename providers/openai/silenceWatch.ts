import { OpenList, type Listed } from '../../base/openList.ts';
import { lateEnd } from './faults.ts';
import { errors } from '../undici.ts';

const TICK_MS = 500;

/** How long an upstream may send nothing: before the head of its answer, and after it. */
export interface SilenceLimits {
  headMs: number;
  idleMs: number;
  /** How long an answer may take from its head to its end. A stream has no limit: it lasts as long as its listener listens. */
  bodyMs?: number;
}

/** A call that ends when its upstream is silent for too long. */
interface WatchedCall extends Listed {
  /** How many milliseconds of silence end it now; undefined while its reader takes nothing. */
  readonly silenceMaxMs: number | undefined;
  /** The tick of the last sign of the upstream; the watch sets the first one. */
  heardAtTick: number;
  readonly hasHead: boolean;
  /** How long its answer may take after its head. */
  readonly bodyMaxMs?: number | undefined;
  /** The tick of its head. */
  readonly headAtTick?: number;
  /** Ends the call. */
  giveUp(error: Error): void;
}

/**
 * Ends silent calls of one upstream with undici's errors for that, up to a second after their limit. Only time in which the process runs
 * counts. It replaces undici's timers: those leave two objects for each call in memory until a major garbage collection.
 */
export class SilenceWatch {
  ticks = 0;
  readonly #calls = new OpenList<WatchedCall>();
  #timer: NodeJS.Timeout | undefined;

  /** Watches a call from now on. */
  add(call: WatchedCall): void {
    call.heardAtTick = this.ticks;
    this.#calls.add(call);
    this.#timer ??= setInterval(() => this.#look(), TICK_MS).unref();
  }

  delete(call: WatchedCall): void {
    this.#calls.delete(call);
  }

  #look(): void {
    this.ticks += 1;
    for (const call of this.#calls) this.#check(call);
    if (this.#calls.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(call: WatchedCall): void {
    const { silenceMaxMs, hasHead, headAtTick, bodyMaxMs = Infinity } = call;
    if (headAtTick !== undefined && this.#msSince(headAtTick) >= bodyMaxMs) return call.giveUp(lateEnd());
    if (silenceMaxMs === undefined) call.heardAtTick = this.ticks;
    else if (this.#msSince(call.heardAtTick) >= silenceMaxMs)
      call.giveUp(hasHead ? new errors.BodyTimeoutError() : new errors.HeadersTimeoutError());
  }

  /** At least so long ago: the first tick may have come at once. */
  #msSince(tick: number): number {
    return (this.ticks - tick - 1) * TICK_MS;
  }
}
