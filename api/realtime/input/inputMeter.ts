import type { Model } from '../../../db/catalog/catalog.ts';
import { costNanosOf, quantityOfMs, type Quantities } from '../../../db/money.ts';
import type { CallAbort } from '../../../providers/callAbort.ts';
import type { Held } from '../../../providers/provider.ts';
import type { Context } from '../../context.ts';
import type { ErrorBody } from '../../../base/errors/apiError.ts';
import { CountedCall } from '../../../calls/countedCall.ts';
import { pricedAt } from '../../../calls/findModel.ts';
import type { Price, Reserved } from '../../../calls/reserve.ts';
import { runSocketCall, type SocketCall } from '../../sockets/socketCall.ts';
import type { Services } from '../../services.ts';

/** So much input is held before it is taken, and settled when it has arrived. */
const WINDOW_MS = 10_000;

const quantitiesOf = (ms: number): Quantities => ({ audio_minutes: quantityOfMs('audio_minutes', ms) });

/** Ten seconds of a session's input as a paid call: open -> full or ended. Billed by what has arrived. */
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
  readonly refuse: (error: unknown) => void;
  readonly #ended: Promise<void>;
  #end!: () => void;

  constructor(model: Model, startedAtMs: number) {
    super();
    this.model = model;
    this.startedAtMs = startedAtMs;
    const wholeNanos = costNanosOf(quantitiesOf(WINDOW_MS), model.rates);
    this.price = { wholeNanos, leastNanos: wholeNanos };
    const { promise, resolve, reject } = Promise.withResolvers<Held>();
    this.opened = promise;
    this.#onOpened = resolve;
    this.refuse = reject;
    promise.catch(() => {});
    this.#ended = new Promise((resolved) => (this.#end = resolved));
  }

  /** Takes sound, and returns how much of it did not fit. */
  take(ms: number): number {
    const taken = Math.min(ms, WINDOW_MS - this.counted);
    this.counted += taken;
    if (this.counted >= WINDOW_MS) this.#end();
    return ms - taken;
  }

  /** Nothing more comes. */
  end(): void {
    this.#end();
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<void> {
    this.#onOpened(held);
    await Promise.race([this.#ended, abortOf(abort)]);
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
  #window: InputWindow | undefined;
  #opening: Promise<void> | undefined;
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
    this.#window?.end();
    await Promise.all(this.#settling);
  }

  /** Resolves when so much sound is paid for; rejects where it cannot be. Undefined: it is. */
  take(ms: number): Promise<void> | undefined {
    // Sound of the conversation and of a response may come at once: one window opens at a time.
    if (this.#opening) return this.#opening.then(() => this.take(ms));
    const rest = this.#window?.take(ms) ?? ms;
    if (rest <= 0) return undefined;
    this.#opening = this.#takeInNext(rest).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #takeInNext(ms: number): Promise<void> {
    const startedAtMs = Date.now();
    const window = new InputWindow(pricedAt(this.#services, this.#model, startedAtMs), startedAtMs);
    const settling = runSocketCall(this.#ctx, this.#services, window, this.#nextRequestId())
      .catch((error: unknown) => window.refuse(error))
      .finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
    this.#held = await window.opened;
    this.#window = window;
    const rest = window.take(ms);
    if (rest > 0) await this.#takeInNext(rest);
  }
}
