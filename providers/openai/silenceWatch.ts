import { OpenList, type Listed } from '../../base/openList.ts';
import { errors } from '../undici.ts';

const TICK_MS = 500;

/** How long an upstream may send nothing: before the head of its answer, and after it. */
export interface SilenceLimits {
  headMs: number;
  idleMs: number;
}

/** A call that ends when its upstream is silent for too long. */
interface WatchedCall extends Listed {
  /** How many milliseconds of silence end it now; undefined while its reader takes nothing. */
  readonly silenceMaxMs: number | undefined;
  /** The tick of the last sign of the upstream; the watch sets the first one. */
  heardAtTick: number;
  readonly hasHead: boolean;
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
    const { silenceMaxMs, hasHead } = call;
    if (silenceMaxMs === undefined) call.heardAtTick = this.ticks;
    // The first tick may have come at once.
    else if ((this.ticks - call.heardAtTick - 1) * TICK_MS >= silenceMaxMs)
      call.giveUp(hasHead ? new errors.BodyTimeoutError() : new errors.HeadersTimeoutError());
  }
}
