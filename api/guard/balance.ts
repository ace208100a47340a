import type { Hold, HoldRefused } from '../../db/ledger.ts';
import { usdTextOf } from '../../db/money.ts';
import { findKeyState } from '../../db/keys/keyState.ts';
import { invalidApiKey } from '../errors/keyErrors.ts';
import { insufficientBalance, keySpendLimitReached } from '../errors/limitErrors.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';

/**
 * Sets money aside for the request: nothing runs without. Throws 402 `insufficient_balance` or `key_spend_limit_reached`, and
 * 401 when the key was revoked since it was looked up.
 */
export function placeHold(ctx: Context, { db }: Services, wantNanos: bigint): Promise<Hold> {
  return db.ledger.hold(ctx.state.key, wantNanos > 0n ? wantNanos : 1n).catch(async (error: unknown) => {
    throw await explainRefusal(ctx, db, error);
  });
}

/** What a caller is told of a hold that was refused; any other error as it is. */
export async function explainRefusal(ctx: Context, db: Services['db'], error: unknown): Promise<unknown> {
  return (error as Error).name === 'HoldRefused' ? explain(ctx, db, (error as HoldRefused).reason) : error;
}

async function explain(ctx: Context, db: Services['db'], reason: HoldRefused['reason']): Promise<Error> {
  if (reason === 'revoked') return invalidApiKey();
  const state = await findKeyState(db.pool, ctx.state.key.keyId);
  const resetsAt = state.resetsAt;
  if (reason === 'balance') return insufficientBalance({ source: 'balance', remainingUsd: '0', resetsAt: null });
  const leftUsd = usdTextOf(state.keyLeftNanos ?? 0n);
  if (reason === 'ceiling') return keySpendLimitReached({ source: 'key', remainingUsd: leftUsd, resetsAt });
  // All that is left is held: of the key's ceiling, if that is what is short.
  if (state.keyFreeNanos !== null && state.keyFreeNanos < state.availableNanos)
    return keySpendLimitReached({ source: 'hold', remainingUsd: leftUsd, resetsAt });
  return insufficientBalance({ source: 'hold', remainingUsd: usdTextOf(state.postedNanos), resetsAt: null });
}
