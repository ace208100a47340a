import type { Outcome, Sent } from '../../calls/delivery.ts';
import type { StreamDelivery, StreamedEnd } from '../../calls/text/answerStream.ts';
import { createAnswerAssembler } from '../../calls/text/assembleAnswer.ts';
import type { BilledReply, TextOrder } from '../../calls/text/order.ts';
import { ZERO_USAGE } from '../../calls/text/textCall.ts';
import type { BilledUsage } from '../../calls/text/usage.ts';
import { CONTENT_CHARS_MAX } from '../../db/contents/boundedContent.ts';
import { jsonOf, PlainChunk, type Chunk } from '../../providers/plainChunk.ts';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import type { Recording } from './recordContent.ts';

/** A stream whose answer is also joined, as far as it is kept. */
export class RecordedEvents implements StreamDelivery {
  readonly #to: StreamDelivery;
  readonly #answer: ReturnType<typeof createAnswerAssembler>;
  #usage: BilledUsage | undefined;
  #cutShort = true;
  #chars = 0;

  constructor(to: StreamDelivery, order: TextOrder, recording: Recording) {
    this.#to = to;
    this.#answer = createAnswerAssembler(order.call);
    const show = (answer: BilledReply) => (order.show ? order.show(answer) : order.present(answer));
    recording.take(() => {
      if (this.#chars === 0) return null;
      const reply = this.#answer.whole({ cutShort: this.#cutShort });
      const { usage, ...answer } = show({ reply, usage: this.#usage ?? ZERO_USAGE }) as { usage?: unknown };
      return this.#usage ? { ...answer, usage } : answer;
    });
  }

  get hasBegun(): boolean {
    return this.#to.hasBegun;
  }

  get sent(): Sent | undefined {
    return this.#to.sent;
  }

  open(): void {
    this.#to.open();
  }

  send(chunks: Chunk[]): Promise<void> | undefined {
    if (this.#chars < JOINED_CHARS_MAX) {
      this.#chars += chunks.reduce((sum, chunk) => sum + lengthOf(chunk), 0);
      // A copy, because the presenter may change a chunk.
      this.#answer.push(chunks.map((chunk) => structuredClone(jsonOf(chunk))));
    }
    return this.#to.send(chunks);
  }

  keepAlive(): () => void {
    return this.#to.keepAlive();
  }

  present(end: StreamedEnd, outcome: Outcome): void | Promise<void> {
    this.#usage = { ...end.usage, chargedNanos: outcome.chargedNanos };
    this.#cutShort = end.cutShort;
    return this.#to.present(end, outcome);
  }

  fail(error: ErrorBody): void | Promise<void> {
    return this.#to.fail?.(error);
  }
}

// More is not kept of an answer, so it is not joined either.
const JOINED_CHARS_MAX = 2 * CONTENT_CHARS_MAX;

const lengthOf = (chunk: Chunk): number =>
  chunk instanceof PlainChunk ? chunk.texts.reduce((sum, { length }) => sum + length, 1) : JSON.stringify(chunk).length;
