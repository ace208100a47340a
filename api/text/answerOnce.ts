import type { Bill, Hold } from '../../db/ledger.ts';
import { CLIENT_CLOSED_STATUS } from '../http/answer.ts';
import { usdTextOf } from '../../db/money.ts';
import { CallAbort } from '../../providers/callAbort.ts';
import { producedTextOf } from '../../providers/metering/producedText.ts';
import type { Json, Usage } from '../../providers/provider.ts';
import { billNow } from '../bill.ts';
import type { Context } from '../context.ts';
import { asApiError } from '../guard/errors.ts';
import { placeHold, shortOf } from '../guard/balance.ts';
import type { Services } from '../services.ts';
import { shownError, watchCaller } from '../stream/watchCaller.ts';
import { createAnswerAssembler } from './assembleAnswer.ts';
import { meterCall, openUpstream, readMetered, type MeteredCall } from './meteredCall.ts';
import { leastNanos, quantitiesOf, smallStepNanos, worstCaseNanos, type TextCall } from './textCall.ts';
import { countUsage, usageOf } from './usage.ts';

// An answer whose bill is not on disk by then is not given: 503, and nothing is billed.
const SETTLE_LIMIT_MS = 5_000;
export const ZERO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/**
 * One whole answer of a text model, held, metered and billed: it is on the ledger before this resolves. Sets `x-cost-usd`, and
 * `x-truncated` when the money ended before the answer did. Throws what the caller is to see (401 when the key is revoked meanwhile);
 * then nothing is billed, but for the prompt of a caller who left.
 */
export async function answerOnce(
  ctx: Context,
  services: Services,
  call: TextCall,
): Promise<{ reply: Json; usage: Usage }> {
  const { db, textProviders } = services;
  const wholeNanos = worstCaseNanos(call);
  const hold = await placeHold(ctx, services, smallStepNanos(call), { wholeNanos, needNanos: leastNanos(call) });
  if (ctx.res.destroyed) throw abandon(ctx, services, call, hold);
  const abort = new CallAbort();
  const stopWatching = watchCaller(ctx, services, abort, hold);
  let answer: { reply: Json; usage?: Usage };
  try {
    answer =
      hold.amountNanos >= wholeNanos
        ? { reply: await textProviders.of(call.model).answer(call.path, call.body, abort) }
        : await gather(ctx, services, meterCall(call, hold, abort));
  } catch (error) {
    if (abort.reason === 'left') throw await billPrompt(ctx, services, call, hold);
    const shown = shownError(abort, error);
    await db.ledger.fail(hold, billOf(ctx, call, ZERO_USAGE, asApiError(shown, ctx.state.requestId).status));
    throw shown;
  } finally {
    stopWatching();
  }
  const { reply } = answer;
  const usage = answer.usage ?? usageOf(reply, call) ?? (await countUsage(call, textsOf(reply)));
  const bill = billOf(ctx, call, usage, 200);
  const chargedNanos = await db.ledger.settleWithin(SETTLE_LIMIT_MS, hold, bill, { isUnsent: true });
  ctx.state.log.costNanos = chargedNanos;
  ctx.res.setHeader('x-cost-usd', usdTextOf(chargedNanos));
  return { reply, usage };
}

const textsOf = (reply: Json) => ((reply.choices ?? []) as Json[]).map(producedTextOf);

// Where the money does not cover the worst case, the answer is watched as it is made: it holds what it costs, not what it might.
async function gather(ctx: Context, services: Services, metered: MeteredCall): Promise<{ reply: Json; usage: Usage }> {
  const assembler = createAnswerAssembler(metered.call);
  const chunks = await openUpstream(metered, services.textProviders.of(metered.call.model));
  await readMetered(metered, chunks, (read) => {
    assembler.push(read);
    return undefined;
  });
  if (metered.isOutOfMoney) ctx.res.setHeader('x-truncated', await shortOf(ctx, services));
  const usage = await metered.meter.final();
  return { reply: assembler.whole({ cutShort: metered.abort.reason === 'cut' }), usage };
}

/** Ends a call whose client left while it waited for its hold: nothing ran, so nothing is billed. Returns what to throw. */
export function abandon(ctx: Context, { db }: Services, call: TextCall, hold: Hold): Error {
  ctx.state.log.cancelled = true;
  void db.ledger.fail(hold, { ...billOf(ctx, call, ZERO_USAGE, CLIENT_CLOSED_STATUS), cancelled: true });
  return new Error('the client left before its call began');
}

async function billPrompt(ctx: Context, { db }: Services, call: TextCall, hold: Hold): Promise<Error> {
  const bill = billOf(ctx, call, await countUsage(call, []), CLIENT_CLOSED_STATUS);
  ctx.state.log.cancelled = true;
  ctx.state.log.costNanos = await db.ledger.settle(hold, { ...bill, cancelled: true });
  return new Error('the client left');
}

/** The bill of a call that ends now. */
export function billOf(ctx: Context, { model }: TextCall, usage: Usage, status: number): Bill {
  return billNow(ctx, { model, quantities: quantitiesOf(model, usage), status });
}
