import type { Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import { finishReasonIn } from '../../providers/metering/producedText.ts';
import type { Json } from '../../providers/provider.ts';
import type { Caller } from '../caller.ts';
import type { Delivery } from '../delivery.ts';
import { shortOf } from '../funds.ts';
import { runPaidCall } from '../paidCall.ts';
import type { Reserved } from '../reserve.ts';
import type { CallServices } from '../services.ts';
import { gatherReply } from './assembleAnswer.ts';
import { countUsage, meterCall, usageOfReply, type WholeReply } from './meteredCall.ts';
import { TextAnswer } from './textAnswer.ts';
import { countLeastNanos, worstCaseNanos, type TextCall } from './textCall.ts';

/**
 * Answers with one whole reply of a text model, held, metered and billed: it is presented once the bill is on disk. Its outcome says where
 * the reply was cut because the money ran out. A failure is thrown and bills nothing; a client that disconnects pays for the prompt.
 */
export function answerOnce(
  caller: Caller,
  services: CallServices,
  call: TextCall,
  to: Delivery<WholeReply>,
): Promise<void> {
  return runPaidCall(caller, services, new WholeAnswer(caller.key, services, call), to);
}

class WholeAnswer extends TextAnswer<WholeReply, Delivery<WholeReply>> {
  readonly settleWaitMs = 5_000;
  truncatedBy: Reserved['truncatedBy'];
  readonly #key: Caller['key'];
  readonly #services: CallServices;
  readonly #call: TextCall;

  constructor(key: Caller['key'], services: CallServices, call: TextCall) {
    super(call, worstCaseNanos(call));
    this.#key = key;
    this.#services = services;
    this.#call = call;
  }

  countLeastNanos(): Promise<bigint> {
    return countLeastNanos(this.#call);
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<WholeReply> {
    const call = this.#call;
    const provider = this.#services.textProviders.of(held, call.model);
    let answer: WholeReply;
    // Vectors have no part that could be cut.
    if (held.amountNanos >= this.price.wholeNanos || call.path === 'embeddings') {
      const reply = await provider.answer(call.path, call.body, abort);
      answer = { reply, usage: await usageOfReply(reply, call, abort) };
    } else {
      // When the money does not cover the worst case, the answer is metered while it is produced, and its hold grows with its cost.
      const metered = meterCall(call, held, abort);
      answer = await gatherReply(metered, provider);
      if (metered.isOutOfMoney) this.truncatedBy = await shortOf({ key: this.#key }, this.#services);
    }
    this.usage = answer.usage;
    this.finishReason = finishReasonIn((answer.reply.choices ?? []) as Json[]);
    return answer;
  }

  async consumed(): Promise<Quantities> {
    return this.billed(await countUsage(this.#call, []));
  }
}
