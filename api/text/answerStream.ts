import type { Model } from '../../db/catalog.ts';
import type { Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import type { Json, Usage } from '../../providers/provider.ts';
import type { Context } from '../context.ts';
import type { ErrorBody } from '../errors/apiError.ts';
import { elapsedMs } from '../http/answer.ts';
import { runPaidCall, type PaidCall } from '../paid/paidCall.ts';
import type { Price, Reserved } from '../paid/reserve.ts';
import type { Services } from '../services.ts';
import { openSse, type SseWriter } from '../stream/sse.ts';
import { meterCall, openUpstream, readMetered, type MeteredCall } from './meteredCall.ts';
import type { StreamPresenter } from './presenter.ts';
import { firstStepNanos, leastNanos, quantitiesOf, smallStepNanos, ZERO_USAGE, type TextCall } from './textCall.ts';

// As in the streams of runs.
const KEEP_ALIVE_MS = 10_000;

/**
 * Answers with the stream of a text model, held, metered and billed. The hold grows with the output; when it can't, the stream ends
 * cleanly. A failure before the first byte is thrown; later ones go into the stream; neither bills. A client that disconnects, or whose
 * key is revoked in mid-stream, pays for the prompt and what was produced.
 */
export function answerStream(
  ctx: Context,
  services: Services,
  call: TextCall,
  presenter: StreamPresenter,
): Promise<void> {
  return runPaidCall(ctx, services, new StreamedAnswer(ctx, services, call, presenter));
}

class StreamedAnswer implements PaidCall {
  readonly model: Model;
  readonly price: Price;
  readonly isCompleteInPart = true;
  firstByteMs: number | null = null;
  readonly #ctx: Context;
  readonly #services: Services;
  readonly #call: TextCall;
  readonly #presenter: StreamPresenter;
  #out: SseWriter | undefined;
  #metered!: MeteredCall;
  #usage = ZERO_USAGE;

  constructor(ctx: Context, services: Services, call: TextCall, presenter: StreamPresenter) {
    this.#ctx = ctx;
    this.#services = services;
    this.#call = call;
    this.#presenter = presenter;
    this.model = call.model;
    this.price = { wholeNanos: firstStepNanos(call), stepNanos: smallStepNanos(call), leastNanos: leastNanos(call) };
  }

  get streamBytes(): number {
    return this.#out?.bytes() ?? 0;
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<void> {
    this.#metered = meterCall(this.#call, held, abort);
    const beating = setInterval(() => this.#keepAlive(), KEEP_ALIVE_MS);
    try {
      const chunks = await openUpstream(this.#metered, this.#services.textProviders.of(held, this.model));
      const out = this.#open();
      await readMetered(this.#metered, chunks, (read) => this.#forward(out, read));
      this.#usage = await this.#metered.meter.final();
    } finally {
      clearInterval(beating);
    }
  }

  /** The stream's head leaves with its first chunk, or before it with a comment; from then on Koa has nothing to answer. */
  #open(): SseWriter {
    this.#ctx.respond = false;
    return (this.#out ??= openSse(this.#ctx.res, this.#presenter.start()));
  }

  /** Clients and proxies give up on a silent stream, and a model may think for minutes before its first word. */
  #keepAlive(): void {
    const { res } = this.#ctx;
    if (!res.destroyed && res.writableLength === 0) void this.#open().write(': keep-alive\n\n');
  }

  #forward(out: SseWriter, read: Json[]): Promise<void> | undefined {
    this.firstByteMs ??= elapsedMs(this.#ctx);
    return out.write(this.#presenter.push(read));
  }

  whole(): Quantities {
    return this.#billed(this.#usage);
  }

  unbilled(): Quantities {
    return this.#billed(ZERO_USAGE);
  }

  certain(): Quantities {
    return this.#billed(this.#metered.meter.certain());
  }

  countCertain(): Promise<void> {
    return this.#metered.meter.countCertain();
  }

  async consumed(): Promise<Quantities> {
    this.#usage = await this.#metered.meter.final();
    return this.whole();
  }

  delivered(): Promise<Quantities> | undefined {
    return this.#metered.meter.soFar().outputTokens > 0 ? this.consumed() : undefined;
  }

  #billed(usage: Usage): Quantities {
    return quantitiesOf(this.model, usage);
  }

  present(): void {
    this.#out!.end(this.#presenter.end({ usage: this.#usage, cutShort: this.#metered.abort.aborted }));
  }

  fail(error: ErrorBody): void {
    this.#out!.end(this.#presenter.fail(error));
  }
}
