import type { Outcome } from '../../calls/delivery.ts';
import { answerOnce } from '../../calls/text/answerOnce.ts';
import { answerStream } from '../../calls/text/answerStream.ts';
import type { WholeReply } from '../../calls/text/meteredCall.ts';
import type { TextEndpoint } from '../../calls/text/order.ts';
import { usdTextOf } from '../../db/money.ts';
import type { Handler } from '../context.ts';
import { setJson } from '../http/answer.ts';
import { BodyDelivery } from '../http/bodyDelivery.ts';
import type { Services } from '../services.ts';
import { EventDelivery } from './eventDelivery.ts';

/** Answers the requests of one endpoint of text models, whole or streamed. */
export function answerText<Input extends Parameters<TextEndpoint['order']>[2]>(
  services: Services,
  endpoint: TextEndpoint<Input>,
): Handler<Input> {
  return async (ctx) => {
    const made = endpoint.order(ctx.state, services, ctx.state.input);
    const order = made instanceof Promise ? await made : made;
    const { call, presenter } = order;
    const present = (answer: WholeReply, { chargedNanos, truncatedBy }: Outcome) => {
      if (truncatedBy) ctx.res.setHeader('x-truncated', truncatedBy);
      ctx.res.setHeader('x-cost-usd', usdTextOf(chargedNanos));
      setJson(ctx, order.present({ ...answer, usage: { ...answer.usage, chargedNanos } }));
    };
    try {
      if (presenter) await answerStream(ctx.state, services, call, new EventDelivery(ctx, presenter));
      else await answerOnce(ctx.state, services, call, new BodyDelivery(ctx, present));
    } catch (error) {
      throw order.explain?.(error) ?? error;
    }
  };
}
