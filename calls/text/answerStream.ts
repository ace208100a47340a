import type { KeptCall } from '../../db/answers/keptCall.ts';
import type { Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import { loadEncoding } from '../../providers/metering/encoding/loadEncoding.ts';
import type { Chunk } from '../../providers/plainChunk.ts';
import type { Usage } from '../../providers/provider.ts';
import type { Caller } from '../caller.ts';
import type { Delivery } from '../delivery.ts';
import { runPaidCall } from '../paidCall.ts';
import type { Reserved } from '../reserve.ts';
import type { CallServices } from '../services.ts';
import { finalUsage, meterCall, openUpstream, readMetered, type MeteredCall } from './meteredCall.ts';
import { TextAnswer } from './textAnswer.ts';
import { countLeastNanos, firstStepNanos, type TextCall } from './textCall.ts';

/** How a stream ended: complete, or cut because its hold could not grow or its process shuts down (the client sees `length`). */
export interface StreamedEnd {
  usage: Usage;
  cutShort: boolean;
}

/** Where a stream goes. */
export interface StreamDelivery extends Delivery<StreamedEnd> {
  /** Sends the head, unless it was sent: with the first chunk, or earlier with a comment. */
  open(): void;
  /** Sends the chunks of one network read; waits while the client is slower than the stream. */
  send(chunks: Chunk[]): Promise<void> | undefined;
  /** Keeps the connection alive until the first chunk. Returns a function that stops it. */
  keepAlive(): () => void;
}

/**
 * Answers with the stream of a text model, held, metered and billed. The hold grows with the output; when it cannot grow, the stream ends
 * cleanly. A failure before the first byte is thrown; later ones are sent in the stream; neither bills. A client that disconnects, or whose
 * key is revoked during the stream, pays for the prompt and the output so far.
 */
export function answerStream(
  caller: Caller,
  services: CallServices,
  call: TextCall,
  to: StreamDelivery,
): Promise<void> {
  return runPaidCall(caller, services, new StreamedAnswer(caller.kept, services, call), to);
}

class StreamedAnswer extends TextAnswer<StreamedEnd, StreamDelivery> {
  readonly #kept: KeptCall | undefined;
  readonly #services: CallServices;
  readonly #call: TextCall;
  #metered: MeteredCall | undefined;

  constructor(kept: KeptCall | undefined, services: CallServices, call: TextCall) {
    super(call, firstStepNanos(call));
    this.#kept = kept;
    this.#services = services;
    this.#call = call;
  }

  countLeastNanos(): Promise<bigint> {
    return countLeastNanos(this.#call);
  }

  async produce({ held }: Reserved, abort: CallAbort, to: StreamDelivery): Promise<StreamedEnd> {
    const metered = (this.#metered = meterCall(this.#call, held, abort));
    const stopKeepAlive = to.keepAlive();
    try {
      const opening = openUpstream(metered, this.#services.textProviders.of(held, this.model));
      // Loads while the upstream is opened. If it fails, the count that needs it loads it again, and throws.
      loadEncoding().catch(() => {});
      const chunks = await opening;
      to.open();
      await readMetered(metered, chunks, { pause: () => this.#kept?.pause(), take: (read) => to.send(read) });
      this.usage = await finalUsage(metered);
      this.finishReason = abort.aborted ? 'length' : metered.meter.finishReason();
      return { usage: this.usage, cutShort: abort.aborted };
    } finally {
      stopKeepAlive();
    }
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

  shortened(): StreamedEnd {
    return { usage: this.usage, cutShort: true };
  }
}
