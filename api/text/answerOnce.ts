import type { Bill, Hold } from '../../db/ledger.ts';
import { CLIENT_CLOSED_STATUS } from '../http/clientClosedStatus.ts';
import { usdTextOf } from '../../db/money.ts';
import { CallAbort } from '../../providers/callAbort.ts';
import { producedTextOf } from '../../providers/metering/producedText.ts';
import type { Json, Usage } from '../../providers/provider.ts';
import { billNow } from '../bill.ts';
import type { Context } from '../context.ts';
import { asApiError } from '../guard/errors.ts';
import { placeHold } from '../guard/balance.ts';
import type { Services } from '../services.ts';
import { shownError, watchCaller } from '../stream/watchCaller.ts';
import { bodyWithin, leastNanos, quantitiesOf, worstCaseNanos, type TextCall } from './textCall.ts';
import { countUsage, usageOf } from './usage.ts';

// An answer whose bill is not on disk by then is not given: 503, and nothing is billed.
const SETTLE_LIMIT_MS = 5_000;
export const NOTHING: Usage = { inputTokens: 0, outputTokens: 0 };

/**
 * One whole answer of a text model, held, metered and billed: it is on the ledger before this resolves. Sets `x-cost-usd`. Throws what
 * the caller is to see (401 when the key is revoked meanwhile); then nothing is billed, but for the prompt of a caller who left.
 */
export async function answerOnce(
  ctx: Context,
  services: Services,
  call: TextCall,
): Promise<{ reply: Json; usage: Usage }> {
  const { db, textProviders } = services;
  const hold = await placeHold(ctx, services, worstCaseNanos(call), { needNanos: leastNanos(call) });
  if (ctx.res.destroyed) throw abandon(ctx, services, call, hold);
  const abort = new CallAbort();
  const stopWatching = watchCaller(ctx, services, abort);
  let reply: Json;
  try {
    reply = await textProviders
      .of(call.model)
      .answer(call.path, hold.partial ? bodyWithin(call, hold.amountNanos) : call.body, abort);
  } catch (error) {
    if (abort.reason === 'left') throw await billPrompt(ctx, services, call, hold);
    const shown = shownError(abort, error);
    await db.ledger.fail(hold, billOf(ctx, call, NOTHING, asApiError(shown, ctx.state.requestId).status));
    throw shown;
  } finally {
    stopWatching();
  }
  const usage = usageOf(reply, call) ?? (await countUsage(call, ((reply.choices ?? []) as Json[]).map(producedTextOf)));
  const bill = billOf(ctx, call, usage, 200);
  const chargedNanos = await db.ledger.settleWithin(SETTLE_LIMIT_MS, hold, bill);
  ctx.state.log.costNanos = chargedNanos;
  ctx.res.setHeader('x-cost-usd', usdTextOf(chargedNanos));
  return { reply, usage };
}

/** Ends a call whose client left while it waited for its hold: nothing ran, so nothing is billed. Returns what to throw. */
export function abandon(ctx: Context, { db }: Services, call: TextCall, hold: Hold): Error {
  ctx.state.log.cancelled = true;
  void db.ledger.fail(hold, { ...billOf(ctx, call, NOTHING, CLIENT_CLOSED_STATUS), cancelled: true });
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
