import { CallAbort } from '../callAbort.ts';
import { ProviderError, type CallSignal } from '../provider.ts';
import type { AttemptOutcome, NotedAttempt, RoutingNote } from '../routingNote.ts';

/** How a call goes on from upstream to upstream. */
export interface Plan<P, T> {
  /** In the order in which they are tried. */
  places: readonly P[];
  nameOf(place: P): string;
  begin(place: P, signal: CallSignal): Promise<T>;
  /** After how long another upstream is tried beside this one; undefined: never. */
  lateMsOf(place: P): number | undefined;
  /** Whether another attempt may begin. */
  mayGoOn(): boolean;
  answered(place: P, waitMs: number): void;
  failed(place: P, error: ProviderError): void;
  /** Another upstream answered before it. */
  late(place: P, waitMs: number): void;
  /** An answer that was counted turned out to be broken. */
  broke(place: P): void;
  /** An answer that came too late: its call is ended. */
  discard(result: T): void;
  /** Why the upstreams are in this order. */
  note: Omit<RoutingNote, 'attempts'> & { skipped: readonly P[] };
}

interface Running<P> {
  place: P;
  signal: AttemptSignal;
  begunMs: number;
  timer: NodeJS.Timeout | undefined;
  /** It is not waited for alone: another one may run beside it. */
  isLate: boolean;
  noted: NotedAttempt;
}

/** A loser is ended with it; its upstream's connection is closed. */
const LOST = new Error('another upstream answered first');

/**
 * One call at several upstreams, each at most once: trying -> answered | failed. The next one is tried beside one that is late, and when one
 * fails by its own fault and only late ones are left; the first answer counts, and the other attempts are aborted. Nothing of any answer has
 * been passed on before.
 */
export class Attempts<P, T> {
  readonly #plan: Plan<P, T>;
  readonly #caller: CallSignal;
  readonly #noted: NotedAttempt[] = [];
  readonly #running = new Set<Running<P>>();
  readonly #over = Promise.withResolvers<T>();
  #next = 0;
  #isOver = false;
  #winner: AttemptSignal | undefined;
  #failure: unknown;

  constructor(plan: Plan<P, T>, caller: CallSignal) {
    this.#plan = plan;
    this.#caller = caller;
  }

  run(): Promise<T> {
    this.#caller.addEventListener('abort', this);
    if (this.#caller.aborted) this.handleEvent();
    else if (this.#hasNext()) this.#begin();
    else this.#fail(new ProviderError('unavailable', 'no upstream serves this model'));
    return this.#over.promise;
  }

  /** The caller has ended the call. */
  handleEvent(): void {
    const { reason } = this.#caller;
    this.#winner?.abort(reason);
    for (const { signal } of this.#running) signal.abort(reason);
    this.#end(() => this.#over.reject(reason));
  }

  /** The winner's call ends later than these attempts: until then, its caller can end it. */
  listens(signal: AttemptSignal, isListening: boolean): void {
    if (signal !== this.#winner) return;
    if (isListening) this.#caller.addEventListener('abort', this);
    else this.#caller.removeEventListener('abort', this);
  }

  #begin(): void {
    const place = this.#plan.places[this.#next++]!;
    const upstream = this.#plan.nameOf(place);
    const noted: NotedAttempt = { upstream, outcome: 'late', ms: null };
    this.#noted.push(noted);
    this.#caller.attempted?.(upstream);
    const signal = new AttemptSignal(this);
    const running: Running<P> = { place, signal, begunMs: performance.now(), timer: undefined, isLate: false, noted };
    this.#running.add(running);
    const lateMs = this.#hasNext() ? this.#plan.lateMsOf(place) : undefined;
    if (lateMs !== undefined) running.timer = setTimeout(() => this.#late(running), lateMs);
    this.#started(place, signal).then(
      (result) => this.#answered(running, result),
      (error: unknown) => this.#failed(running, error),
    );
  }

  #started(place: P, signal: CallSignal): Promise<T> {
    try {
      return this.#plan.begin(place, signal);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #hasNext = (): boolean => this.#next < this.#plan.places.length;

  #late(running: Running<P>): void {
    running.isLate = true;
    if (!this.#isOver && this.#hasNext() && this.#plan.mayGoOn()) this.#begin();
  }

  #answered(running: Running<P>, result: T): void {
    this.#leave(running, 'answered');
    if (this.#isOver) return this.#plan.discard(result);
    this.#winner = running.signal;
    this.#plan.answered(running.place, running.noted.ms!);
    for (const other of this.#running) {
      this.#leave(other, 'late');
      this.#plan.late(other.place, other.noted.ms!);
      other.signal.abort(LOST);
    }
    this.#end(() => this.#over.resolve(result), running);
    if (running.signal.isHeard) this.#caller.addEventListener('abort', this);
  }

  #failed(running: Running<P>, error: unknown): void {
    if (this.#isOver) return;
    this.#leave(running, error instanceof ProviderError ? error.fault : 'failed');
    if (!(error instanceof ProviderError)) return this.#fail(error);
    this.#plan.failed(running.place, error);
    this.#failure = error;
    // The others would refuse a refused request too.
    if (error.fault === 'refused') return this.#fail(error);
    if ([...this.#running].some(({ isLate }) => !isLate)) return;
    if (this.#hasNext() && this.#plan.mayGoOn()) this.#begin();
    else if (this.#running.size === 0) this.#fail(this.#failure);
  }

  #fail(error: unknown): void {
    for (const { signal } of this.#running) signal.abort(LOST);
    this.#end(() => this.#over.reject(error));
  }

  #leave(running: Running<P>, outcome: AttemptOutcome): void {
    clearTimeout(running.timer);
    this.#running.delete(running);
    if (this.#isOver) return;
    running.noted.outcome = outcome;
    running.noted.ms = Math.round(performance.now() - running.begunMs);
  }

  #end(settle: () => void, winner?: Running<P>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { timer } of this.#running) clearTimeout(timer);
    this.#caller.removeEventListener('abort', this);
    const { skipped, ...note } = this.#plan.note;
    const passed = skipped.map((place): NotedAttempt => ({
      upstream: this.#plan.nameOf(place),
      outcome: 'skipped',
      ms: null,
    }));
    const isOrdinary = winner !== undefined && this.#noted.length === 1 && passed.length === 0;
    this.#caller.routed?.({
      note: { ...note, attempts: isOrdinary ? [] : [...passed, ...this.#noted] },
      upstream: winner?.noted.upstream,
      broke: winner && (() => this.#plan.broke(winner.place)),
    });
    settle();
  }
}

/** The call that an attempt's signal tells whether anybody listens. */
interface Listening {
  listens(signal: AttemptSignal, isListening: boolean): void;
}

/** The signal of one attempt: ended with the call, or when another attempt wins. */
class AttemptSignal extends CallAbort {
  isHeard = false;
  readonly #of: Listening;

  constructor(of: Listening) {
    super();
    this.#of = of;
  }

  override addEventListener(type: 'abort', listener: { handleEvent(): void }): void {
    super.addEventListener(type, listener);
    this.isHeard = true;
    this.#of.listens(this, true);
  }

  override removeEventListener(type: 'abort', listener: { handleEvent(): void }): void {
    super.removeEventListener(type, listener);
    this.isHeard = false;
    this.#of.listens(this, false);
  }
}
