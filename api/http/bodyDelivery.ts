import type { Delivery, Outcome } from '../../calls/delivery.ts';
import type { AnswerPart } from '../../db/answers/answerPart.ts';
import type { KeptCall } from '../../db/answers/keptCall.ts';
import type { Context } from '../context.ts';
import { headLineOf } from './keptHead.ts';

/** A complete answer as the body of its response: `present` sets `ctx.body` and the headers of its outcome. */
export class BodyDelivery<Answer> implements Delivery<Answer> {
  readonly hasBegun = false;
  readonly present: (answer: Answer, outcome: Outcome) => void;
  readonly #ctx: Context;

  constructor(ctx: Context, present: (answer: Answer, outcome: Outcome) => void) {
    this.#ctx = ctx;
    this.present = present;
  }

  keep(kept: KeptCall): AnswerPart | undefined {
    const ctx = this.#ctx;
    const { body } = ctx;
    const isBytes = typeof body === 'string' || body instanceof Uint8Array;
    const { part, content } = kept.complete(headLineOf(ctx), isBytes ? body : JSON.stringify(body));
    ctx.body = content;
    return part;
  }

  withdraw(): void {
    this.#ctx.res.removeHeader('x-cost-usd');
  }
}
