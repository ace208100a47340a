import type { Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import { loadEncoding } from '../../providers/metering/tokens.ts';
import type { Context } from '../../api/context.ts';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import { EventStream, keepAlive } from '../../api/http/sse.ts';
import { runPaidCall } from '../paidCall.ts';
import type { Reserved } from '../reserve.ts';
import type { CallServices } from '../../api/services.ts';
import { finalUsage, meterCall, openUpstream, readMetered, type MeteredCall } from './meteredCall.ts';
import type { StreamPresenter } from './presenter.ts';
import { countLeastNanos, firstStepNanos, TextAnswer, type TextCall } from './textCall.ts';

/**
 * Answers with the stream of a text model, held, metered and billed. The hold grows with the output; when it cannot grow, the stream ends
 * cleanly. A failure before the first byte is thrown; later ones are sent in the stream; neither bills. A client that disconnects, or whose
 * key is revoked during the stream, pays for the prompt and the output so far.
 */
export function answerStream(
  ctx: Context,
  services: CallServices,
  call: TextCall,
  presenter: StreamPresenter,
): Promise<void> {
  return runPaidCall(ctx, services, new StreamedAnswer(ctx, services, call, presenter));
}

class StreamedAnswer extends TextAnswer {
  readonly isCompleteInPart = true;
  sent: EventStream | undefined;
  readonly #services: CallServices;
  // Released at the end, see `present`.
  #ctx: Context | undefined;
  #call: TextCall | undefined;
  #presenter: StreamPresenter | undefined;
  #metered: MeteredCall | undefined;

  constructor(ctx: Context, services: CallServices, call: TextCall, presenter: StreamPresenter) {
    super(call, firstStepNanos(call));
    this.#ctx = ctx;
    this.#services = services;
    this.#call = call;
    this.#presenter = presenter;
  }

  countLeastNanos(): Promise<bigint> {
    return countLeastNanos(this.#call!);
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<void> {
    const metered = (this.#metered = meterCall(this.#call!, held, abort));
    const presenter = this.#presenter!;
    const stopKeepAlive = keepAlive(this.#ctx!.res, () => this.#open());
    try {
      const opening = openUpstream(metered, this.#services.textProviders.of(held, this.model));
      // Its loading stops this process for a moment: better while the stream waits than when its first bill has to be stored.
      void loadEncoding();
      const chunks = await opening;
      const stream = this.#open();
      const { kept } = this.#ctx!.state;
      await readMetered(metered, chunks, {
        pause: () => kept?.pause(),
        take: (read) => stream.send(presenter.push(read)),
      });
      this.usage = await finalUsage(metered);
      this.finishReason = abort.aborted ? 'length' : metered.meter.finishReason();
    } finally {
      stopKeepAlive();
    }
  }

  /** The head is sent with the first chunk, or earlier with a comment. */
  #open(): EventStream {
    return (this.sent ??= new EventStream(this.#ctx!, this.#presenter!.start()));
  }

  certain(): Quantities {
    return this.billed(this.#metered!.meter.certain());
  }

  countCertain(): Promise<void> {
    return this.#metered!.meter.countCertain();
  }

  async consumed(): Promise<Quantities> {
    this.usage = await finalUsage(this.#metered!);
    return this.whole();
  }

  delivered(): Promise<Quantities> | undefined {
    return this.#metered!.meter.soFar().outputTokens > 0 ? this.consumed() : undefined;
  }

  // This object may be kept until a large garbage collection, which would keep the request and its whole answer in memory.
  present(chargedNanos: bigint): void {
    const [stream, presenter, metered] = [this.sent!, this.#presenter!, this.#metered!];
    this.sent = undefined;
    this.#ctx = undefined;
    this.#call = undefined;
    this.#presenter = undefined;
    this.#metered = undefined;
    stream.end(presenter.end({ usage: { ...this.usage, chargedNanos }, cutShort: metered.abort.aborted }));
  }

  fail(error: ErrorBody): void {
    this.sent!.end(this.#presenter!.fail(error));
  }
}
