import type { Model } from '../../../db/catalog/catalog.ts';
import { costNanosOf, quantityOfMs, type Quantities } from '../../../db/money.ts';
import type { CallAbort } from '../../../providers/callAbort.ts';
import type { Held } from '../../../providers/provider.ts';
import type { Context } from '../../context.ts';
import type { ErrorBody } from '../../../base/errors/apiError.ts';
import { CountedCall } from '../../../calls/countedCall.ts';
import { ClientLeft } from '../../../calls/errors/clientLeft.ts';
import { pricedAt } from '../../../calls/findModel.ts';
import type { Price, Reserved } from '../../../calls/reserve.ts';
import { runSocketCall, type SocketCall } from '../../sockets/socketCall.ts';
import type { Services } from '../../services.ts';

/** So much input is held before it is taken, and settled when it has arrived. */
const WINDOW_MS = 10_000;
/** Near the last cent, so much is. */
const SHORT_WINDOW_MS = 1_000;
/** So many full windows wait for the end of their turn: more than the longest turn has. */
const WAITING_MAX = 40;

const quantitiesOf = (ms: number): Quantities => ({ audio_minutes: quantityOfMs('audio_minutes', ms) });

/**
 * Ten seconds of a session's input as a paid call, near the last cent less: open -> full -> ended or forgiven. Billed by what has arrived;
 * `isByTurn`: once that is written down, and not where this process ends before.
 */
class InputWindow extends CountedCall implements SocketCall {
  readonly model: Model;
  readonly price: Price;
  readonly startedAtMs: number;
  readonly hasBegun = true;
  readonly sent = { firstByteMs: 0, bytes: 0 };
  /** Resolves with the proof that the window is paid; rejects with its refusal. */
  readonly opened: Promise<Held>;
  failure: ErrorBody | undefined;
  #onOpened!: (held: Held) => void;
  #lengthMs = 0;
  readonly refuse: (error: unknown) => void;
  readonly #ended = Promise.withResolvers<void>();
  readonly #isByTurn: boolean;

  /** `leastMs`: how much it has to take. */
  constructor(model: Model, startedAtMs: number, { leastMs, isByTurn }: { leastMs: number; isByTurn: boolean }) {
    super();
    this.model = model;
    this.#isByTurn = isByTurn;
    this.startedAtMs = startedAtMs;
    const nanosOf = (ms: number) => costNanosOf(quantitiesOf(Math.ceil(Math.min(ms, WINDOW_MS))), model.rates);
    const stepNanos = nanosOf(Math.max(leastMs, SHORT_WINDOW_MS));
    this.price = { wholeNanos: nanosOf(WINDOW_MS), stepNanos, leastNanos: nanosOf(leastMs) };
    const { promise, resolve, reject } = Promise.withResolvers<Held>();
    this.opened = promise;
    this.#onOpened = resolve;
    this.refuse = reject;
    promise.catch(() => {});
    this.#ended.promise.catch(() => {});
  }

  /** How much sound it has room for. */
  get roomMs(): number {
    return this.#lengthMs - this.counted;
  }

  /** Takes sound, and returns how much of it did not fit. */
  take(ms: number): number {
    const taken = Math.min(ms, this.roomMs);
    this.counted += taken;
    return ms - taken;
  }

  get isUsed(): boolean {
    return this.counted > 0;
  }

  /** Nothing more comes: what came is billed. */
  end(): void {
    this.#ended.resolve();
  }

  /** What came was of no use to the client: nothing is billed. */
  forgive(error: unknown): void {
    this.#ended.reject(error);
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<void> {
    this.#lengthMs = coveredMs(held.amountNanos, this.price);
    this.#onOpened(held);
    await Promise.race([this.#ended.promise, abortOf(abort)]);
    if (this.counted === 0) throw new ClientLeft('no sound came');
  }

  protected billed(ms: number): Quantities {
    return quantitiesOf(Math.round(ms));
  }

  delivered(): Quantities | undefined {
    return this.#isByTurn ? undefined : this.consumed();
  }

  present(): void {}

  fail(error: ErrorBody): void {
    this.failure = error;
  }
}

function coveredMs(amountNanos: bigint, { wholeNanos }: Price): number {
  return amountNanos < wholeNanos ? Number((amountNanos * BigInt(WINDOW_MS)) / wholeNanos) : WINDOW_MS;
}

/** Rejects when the call is aborted. A client that disconnects has sent all of its sound, which ends the window like any other. */
function abortOf(abort: CallAbort): Promise<void> {
  return new Promise((resolve, reject) =>
    abort.addEventListener('abort', {
      handleEvent: () => (abort.reason === 'left' ? resolve() : reject(abort.reason)),
    }),
  );
}

/** The sound of a turn, whose money is held until it is known what becomes of it. */
interface TurnSound {
  bill(): void;
  forgive(error: unknown): void;
}

/** `isByTurn`: full windows wait for the end of their turn. */
interface MeterOptions {
  nextRequestId: () => string;
  isByTurn: boolean;
}

/** Bills sound at the price of one model, in windows of 10 s, each held before it begins. */
export class InputMeter {
  readonly #ctx: Context;
  readonly #services: Services;
  readonly #model: Model;
  readonly #options: MeterOptions;
  readonly #settling = new Set<Promise<void>>();
  /** Full ones of a turn that has not ended. */
  readonly #full: InputWindow[] = [];
  /** Those with room, in the order in which they take sound. */
  readonly #windows: InputWindow[] = [];
  #held: Held | undefined;

  constructor(ctx: Context, services: Services, model: Model, options: MeterOptions) {
    this.#ctx = ctx;
    this.#services = services;
    this.#model = model;
    this.#options = options;
  }

  /** The proof that sound was paid for, once some has come. */
  get held(): Held | undefined {
    return this.#held;
  }

  /** Settles what has arrived; resolves when it is settled, the sound of turns too. */
  async end(): Promise<void> {
    for (const window of [...this.#full, ...this.#windows]) window.end();
    await Promise.all(this.#settling);
  }

  /** Ends a turn: what has come since the one before. Nothing, where sound is billed as it comes. */
  cut(): TurnSound {
    const used = this.#options.isByTurn ? this.#windows.filter(({ isUsed }) => isUsed) : [];
    this.#windows.splice(0, used.length);
    const windows = [...this.#full.splice(0), ...used];
    return {
      bill: () => windows.forEach((window) => window.end()),
      forgive: (error) => windows.forEach((window) => window.forgive(error)),
    };
  }

  /** What has come is of no turn. */
  billFull(): void {
    for (const window of this.#full.splice(0)) window.end();
  }

  /** Whether the money for so much more sound is held. */
  hasRoom(ms: number): boolean {
    return this.#roomMs >= ms;
  }

  get #roomMs(): number {
    return this.#windows.reduce((sum, { roomMs }) => sum + roomMs, 0);
  }

  /** Holds the money for so much more sound; rejects where it cannot. Nothing is billed before `take`. */
  async open(ms: number): Promise<void> {
    for (let roomMs = this.#roomMs; roomMs < ms; roomMs = this.#roomMs) await this.#openNext(ms - roomMs);
  }

  /** The price of so much sound. */
  nanosOf(ms: number): bigint {
    return costNanosOf(quantitiesOf(Math.ceil(ms)), this.#model.rates);
  }

  /** Takes sound for which there is room. */
  take(ms: number): void {
    for (let rest = ms; rest > 0 && this.#windows.length > 0;) {
      const window = this.#windows[0]!;
      rest = window.take(rest);
      if (window.roomMs > 0) continue;
      this.#windows.shift();
      this.#full.push(window);
      if (!this.#options.isByTurn || this.#full.length > WAITING_MAX) this.#full.shift()!.end();
    }
  }

  async #openNext(leastMs: number): Promise<void> {
    const startedAtMs = Date.now();
    const { nextRequestId, isByTurn } = this.#options;
    const model = pricedAt(this.#services, this.#model, startedAtMs);
    const window = new InputWindow(model, startedAtMs, { leastMs, isByTurn });
    const settling = runSocketCall(this.#ctx, this.#services, window, nextRequestId())
      .catch((error: unknown) => window.refuse(error))
      .finally(() => this.#forget(window, settling));
    this.#settling.add(settling);
    this.#held = await window.opened;
    this.#windows.push(window);
  }

  /** A window may also end before it is full, as where its hold is lost: what comes then is held anew. */
  #forget(window: InputWindow, settling: Promise<void>): void {
    this.#settling.delete(settling);
    for (const windows of [this.#windows, this.#full]) {
      const at = windows.indexOf(window);
      if (at !== -1) windows.splice(at, 1);
    }
  }
}
