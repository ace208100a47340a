import type { ErrorBody } from '../../base/errors/apiError.ts';
import type { Outcome } from '../../calls/delivery.ts';
import type { StreamDelivery, StreamedEnd } from '../../calls/text/answerStream.ts';
import type { StreamPresenter } from '../../calls/text/presenter.ts';
import type { Chunk } from '../../providers/plainChunk.ts';
import type { Context } from '../context.ts';
import { EventStream, keepAlive } from '../http/sse.ts';

/** The stream of a text model as server-sent events. */
export class EventDelivery implements StreamDelivery {
  readonly #ctx: Context;
  readonly #presenter: StreamPresenter;
  #stream: EventStream | undefined;

  constructor(ctx: Context, presenter: StreamPresenter) {
    this.#ctx = ctx;
    this.#presenter = presenter;
  }

  get hasBegun(): boolean {
    return this.#stream !== undefined;
  }

  get sent(): EventStream | undefined {
    return this.#stream;
  }

  open(): EventStream {
    return (this.#stream ??= new EventStream(this.#ctx, this.#presenter.start()));
  }

  send(chunks: Chunk[]): Promise<void> | undefined {
    return this.#stream!.send(this.#presenter.push(chunks));
  }

  keepAlive(): () => void {
    return keepAlive(this.#ctx.res, () => this.open());
  }

  present({ usage, cutShort }: StreamedEnd, { chargedNanos }: Outcome): void {
    this.#stream!.end(this.#presenter.end({ usage: { ...usage, chargedNanos }, cutShort }));
  }

  fail(error: ErrorBody): void {
    this.#stream!.end(this.#presenter.fail(error));
  }
}
