import type { Model } from '../../db/catalog.ts';
import type { Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import { producedTextOf } from '../../providers/metering/producedText.ts';
import type { Json, TextProvider, Usage } from '../../providers/provider.ts';
import type { Context } from '../context.ts';
import { shortOf } from '../guard/balance.ts';
import { runPaidCall, type PaidCall } from '../paid/paidCall.ts';
import type { Price, Reserved } from '../paid/reserve.ts';
import type { Services } from '../services.ts';
import { createAnswerAssembler } from './assembleAnswer.ts';
import { countUsage, meterCall, openUpstream, readMetered, reportedUsage, type MeteredCall } from './meteredCall.ts';
import { leastNanos, quantitiesOf, smallStepNanos, worstCaseNanos, ZERO_USAGE, type TextCall } from './textCall.ts';

/** A model's whole reply, and what it consumed. */
export interface WholeReply {
  reply: Json;
  usage: Usage;
}

/**
 * Answers with one whole reply of a text model, held, metered and billed: `present` is called once the bill is on disk. `x-truncated`
 * marks a reply that ended because the money did. A failure is thrown and bills nothing; a client that disconnects pays for the prompt.
 */
export function answerOnce(
  ctx: Context,
  services: Services,
  call: TextCall,
  present: (answer: WholeReply) => void,
): Promise<void> {
  return runPaidCall(ctx, services, new WholeAnswer(ctx, services, call, present));
}

class WholeAnswer implements PaidCall {
  readonly model: Model;
  readonly price: Price;
  readonly settleWaitMs = 5_000;
  readonly firstByteMs = null;
  readonly streamBytes = 0;
  readonly #services: Services;
  // Given up at the end, see `present`.
  #ctx: Context | undefined;
  #call: TextCall | undefined;
  #present: ((answer: WholeReply) => void) | undefined;
  #answer: WholeReply | undefined;

  constructor(ctx: Context, services: Services, call: TextCall, present: (answer: WholeReply) => void) {
    this.#ctx = ctx;
    this.#services = services;
    this.#call = call;
    this.model = call.model;
    this.price = { wholeNanos: worstCaseNanos(call), stepNanos: smallStepNanos(call), leastNanos: leastNanos(call) };
    this.#present = present;
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<void> {
    if (held.amountNanos < this.price.wholeNanos) {
      this.#answer = await this.#gather(
        meterCall(this.#call!, held, abort),
        this.#services.textProviders.of(held, this.model),
      );
      return;
    }
    const call = this.#call!;
    const reply = await this.#services.textProviders.of(held, call.model).answer(call.path, call.body, abort);
    this.#answer = { reply, usage: reportedUsage(reply, call) ?? (await countUsage(call, textsOf(reply))) };
  }

  // Where the money does not cover the worst case, the answer is metered while it is made: its hold grows with what it costs.
  async #gather(metered: MeteredCall, provider: TextProvider): Promise<WholeReply> {
    const assembler = createAnswerAssembler(metered.call);
    const chunks = await openUpstream(metered, provider);
    await readMetered(metered, chunks, (read) => {
      assembler.push(read);
      return undefined;
    });
    if (metered.isOutOfMoney) this.#ctx!.res.setHeader('x-truncated', await shortOf(this.#ctx!, this.#services));
    const usage = await metered.meter.final();
    return { reply: assembler.whole({ cutShort: metered.abort.reason === 'cut' }), usage };
  }

  // This object is often in the old generation by now. What it still refers to would stay there with it until a large garbage collection:
  // the whole request, which cost a chat call at 64 connections 15 to 25 % more CPU.
  present(): void {
    const [present, answer] = [this.#present!, this.#answer!];
    this.#ctx = undefined;
    this.#call = undefined;
    this.#present = undefined;
    this.#answer = undefined;
    present(answer);
  }

  whole(): Quantities {
    return quantitiesOf(this.model, this.#answer!.usage);
  }

  unbilled(): Quantities {
    return quantitiesOf(this.model, ZERO_USAGE);
  }

  async consumed(): Promise<Quantities> {
    return quantitiesOf(this.model, await countUsage(this.#call!, []));
  }
}

const textsOf = (reply: Json) => ((reply.choices ?? []) as Json[]).map(producedTextOf);
