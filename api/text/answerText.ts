import type { Outcome } from '../../calls/delivery.ts';
import { answerOnce } from '../../calls/text/answerOnce.ts';
import { answerStream } from '../../calls/text/answerStream.ts';
import type { WholeReply } from '../../calls/text/meteredCall.ts';
import type { TextEndpoint } from '../../calls/text/order.ts';
import { usdTextOf } from '../../db/money.ts';
import type { Context, Handler } from '../context.ts';
import { withContent, type Recording } from '../contents/recordContent.ts';
import { RecordedEvents } from '../contents/recordedEvents.ts';
import { setJson } from '../http/answer.ts';
import { BodyDelivery } from '../http/bodyDelivery.ts';
import type { Services } from '../services.ts';
import { EventDelivery } from './eventDelivery.ts';

/** Answers the requests of one endpoint of text models, whole or streamed. */
export function answerText<Input extends Parameters<TextEndpoint['order']>[2]>(
  services: Services,
  endpoint: TextEndpoint<Input>,
): Handler<Input> {
  return (ctx) => {
    const { input } = ctx.state;
    return withContent(
      ctx,
      services,
      () => sentBody(input),
      (recording) => answer(ctx, recording),
    );
  };

  async function answer(ctx: Context<Input>, recording: Recording | undefined): Promise<void> {
    const made = endpoint.order(ctx.state, services, ctx.state.input);
    const order = made instanceof Promise ? await made : made;
    const { call, presenter } = order;
    const present = (reply: WholeReply, { chargedNanos, truncatedBy }: Outcome) => {
      if (truncatedBy) ctx.res.setHeader('x-truncated', truncatedBy);
      ctx.res.setHeader('x-cost-usd', usdTextOf(chargedNanos));
      const shown = order.present({ ...reply, usage: { ...reply.usage, chargedNanos } });
      recording?.take(() => shown);
      setJson(ctx, shown);
    };
    try {
      if (!presenter) return await answerOnce(ctx.state, services, call, new BodyDelivery(ctx, present));
      const events = new EventDelivery(ctx, presenter);
      const to = recording ? new RecordedEvents(events, order, recording) : events;
      await answerStream(ctx.state, services, call, to);
    } catch (error) {
      throw order.explain?.(error) ?? error;
    }
  }
}

/** A request as it was sent: responses are sent upstream in another form. */
const sentBody = (input: { body: object; request?: object }): object => input.request ?? input.body;
