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

const quantitiesOf = (ms: number): Quantities => ({ audio_minutes: quantityOfMs('audio_minutes', ms) });

/** Ten seconds of a session's input as a paid call, near the last cent less: open -> full or ended. Billed by what has arrived. */
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
  readonly #ended: Promise<void>;
  #end!: () => void;

  /** `leastMs`: how much it has to take. */
  constructor(model: Model, startedAtMs: number, leastMs: number) {
    super();
    this.model = model;
    this.startedAtMs = startedAtMs;
    const nanosOf = (ms: number) => costNanosOf(quantitiesOf(Math.ceil(Math.min(ms, WINDOW_MS))), model.rates);
    const stepNanos = nanosOf(Math.max(leastMs, SHORT_WINDOW_MS));
    this.price = { wholeNanos: nanosOf(WINDOW_MS), stepNanos, leastNanos: nanosOf(leastMs) };
    const { promise, resolve, reject } = Promise.withResolvers<Held>();
    this.opened = promise;
    this.#onOpened = resolve;
    this.refuse = reject;
    promise.catch(() => {});
    this.#ended = new Promise((resolved) => (this.#end = resolved));
  }

  /** How much sound it has room for. */
  get roomMs(): number {
    return this.#lengthMs - this.counted;
  }

  /** Takes sound, and returns how much of it did not fit. */
  take(ms: number): number {
    const taken = Math.min(ms, this.roomMs);
    this.counted += taken;
    if (this.roomMs <= 0) this.#end();
    return ms - taken;
  }

  /** Nothing more comes. */
  end(): void {
    this.#end();
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<void> {
    this.#lengthMs = coveredMs(held.amountNanos, this.price);
    this.#onOpened(held);
    await Promise.race([this.#ended, abortOf(abort)]);
    if (this.counted === 0) throw new ClientLeft('no sound came');
  }

  protected billed(ms: number): Quantities {
    return quantitiesOf(Math.round(ms));
  }

  delivered(): Quantities {
    return this.consumed();
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

/** Bills sound at the price of one model, in windows of 10 s, each held before it begins. */
export class InputMeter {
  readonly #ctx: Context;
  readonly #services: Services;
  readonly #model: Model;
  readonly #nextRequestId: () => string;
  readonly #settling = new Set<Promise<void>>();
  /** Those with room, in the order in which they take sound. */
  readonly #windows: InputWindow[] = [];
  #held: Held | undefined;

  constructor(ctx: Context, services: Services, model: Model, nextRequestId: () => string) {
    this.#ctx = ctx;
    this.#services = services;
    this.#model = model;
    this.#nextRequestId = nextRequestId;
  }

  /** The proof that sound was paid for, once some has come. */
  get held(): Held | undefined {
    return this.#held;
  }

  /** Settles what has arrived; resolves when it is settled. */
  async end(): Promise<void> {
    for (const window of this.#windows) window.end();
    await Promise.all(this.#settling);
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
      rest = this.#windows[0]!.take(rest);
      if (this.#windows[0]!.roomMs <= 0) this.#windows.shift();
    }
  }

  async #openNext(leastMs: number): Promise<void> {
    const startedAtMs = Date.now();
    const window = new InputWindow(pricedAt(this.#services, this.#model, startedAtMs), startedAtMs, leastMs);
    const settling = runSocketCall(this.#ctx, this.#services, window, this.#nextRequestId())
      .catch((error: unknown) => window.refuse(error))
      .finally(() => this.#forget(window, settling));
    this.#settling.add(settling);
    this.#held = await window.opened;
    this.#windows.push(window);
  }

  /** A window may also end before it is full, as where its hold is lost: what comes then is held anew. */
  #forget(window: InputWindow, settling: Promise<void>): void {
    this.#settling.delete(settling);
    const at = this.#windows.indexOf(window);
    if (at !== -1) this.#windows.splice(at, 1);
  }
}
