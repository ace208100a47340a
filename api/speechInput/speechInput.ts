import compose from 'koa-compose';
import { guard, type Context, type Guard, type Handler } from '../context.ts';
import { carriesKey } from '../guard/key.ts';
import { refuseUnfunded } from '../../calls/funds.ts';
import type { Services } from '../services.ts';
import { acceptSocket, enterWithoutKey } from '../sockets/upgrade.ts';
import { SpeechInputSession } from './session.ts';
import type { Dialect } from './dialect.ts';

/** The guards of a socket whose key may come in its first frame instead: without a key, they are left to that frame. */
export const ifKeyed = (guards: Guard[]): Guard => {
  const run = compose<Context>(guards);
  return guard(
    guards.flatMap(({ refusals }) => refusals),
    (ctx, next) => (carriesKey(ctx.req.headers) ? run(ctx, next) : next()),
  );
};

/** The sockets of `text-to-speech` whose text arrives while it is spoken. `guards` admit a key that the first frame carries. */
export function answerSpeechInput(services: Services, guards: Guard[], dialect: Dialect): Handler {
  const admit = compose<Context>(guards);
  return async (ctx) => {
    const isKeyed = carriesKey(ctx.req.headers);
    if (isKeyed) await refuseUnfunded(ctx.state, services);
    let leave = isKeyed ? () => {} : enterWithoutKey();
    try {
      const accepted = await acceptSocket(ctx);
      const session = new SpeechInputSession(ctx, services, { accepted, dialect, isKeyed });
      await session.run(async () => {
        await admit(ctx, () => Promise.resolve());
        await refuseUnfunded(ctx.state, services);
        leave();
        leave = () => {};
      });
    } finally {
      leave();
    }
  };
}
