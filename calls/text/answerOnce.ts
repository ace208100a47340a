import type { Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import { finishReasonIn } from '../../providers/metering/producedText.ts';
import type { Json } from '../../providers/provider.ts';
import type { Context } from '../../api/context.ts';
import { shortOf } from '../funds.ts';
import { runPaidCall } from '../paidCall.ts';
import type { Reserved } from '../reserve.ts';
import type { CallServices } from '../../api/services.ts';
import { gatherReply } from './assembleAnswer.ts';
import { countUsage, meterCall, usageOfReply, type WholeReply } from './meteredCall.ts';
import type { BilledUsage } from './presenter.ts';
import { countLeastNanos, TextAnswer, worstCaseNanos, type TextCall } from './textCall.ts';

/** A whole reply, with its charge. */
type BilledReply = WholeReply & { usage: BilledUsage };

/**
 * Answers with one whole reply of a text model, held, metered and billed: `present` is called once the bill is on disk. `x-truncated` marks
 * a reply that was cut when the money ran out. A failure is thrown and bills nothing; a client that disconnects pays for the prompt.
 */
export function answerOnce(
  ctx: Context,
  services: CallServices,
  call: TextCall,
  present: (answer: BilledReply) => void,
): Promise<void> {
  return runPaidCall(ctx, services, new WholeAnswer(ctx, services, call, present));
}

class WholeAnswer extends TextAnswer {
  readonly settleWaitMs = 5_000;
  readonly setsBody = true;
  readonly #services: CallServices;
  // Released at the end, see `present`.
  #ctx: Context | undefined;
  #call: TextCall | undefined;
  #present: ((answer: BilledReply) => void) | undefined;
  #answer: WholeReply | undefined;

  constructor(ctx: Context, services: CallServices, call: TextCall, present: (answer: BilledReply) => void) {
    super(call, worstCaseNanos(call));
    this.#ctx = ctx;
    this.#services = services;
    this.#call = call;
    this.#present = present;
  }

  countLeastNanos(): Promise<bigint> {
    return countLeastNanos(this.#call!);
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<void> {
    const call = this.#call!;
    const provider = this.#services.textProviders.of(held, call.model);
    // Vectors have no part that could be cut.
    if (held.amountNanos >= this.price.wholeNanos || call.path === 'embeddings') {
      const reply = await provider.answer(call.path, call.body, abort);
      this.#answer = { reply, usage: await usageOfReply(reply, call) };
    } else {
      // When the money does not cover the worst case, the answer is metered while it is produced, and its hold grows with its cost.
      const metered = meterCall(call, held, abort);
      this.#answer = await gatherReply(metered, provider);
      if (metered.isOutOfMoney) this.#ctx!.res.setHeader('x-truncated', await shortOf(this.#ctx!, this.#services));
    }
    this.usage = this.#answer.usage;
    this.finishReason = finishReasonIn((this.#answer.reply.choices ?? []) as Json[]);
  }

  // This object is often in the old generation by now. Whatever it refers to would stay in memory until a large garbage collection: the
  // whole request, which cost a chat call at 64 connections 15 to 25 % more CPU.
  present(chargedNanos: bigint): void {
    const [present, answer] = [this.#present!, this.#answer!];
    this.#ctx = undefined;
    this.#call = undefined;
    this.#present = undefined;
    this.#answer = undefined;
    present({ ...answer, usage: { ...answer.usage, chargedNanos } });
  }

  async consumed(): Promise<Quantities> {
    return this.billed(await countUsage(this.#call!, []));
  }
}
