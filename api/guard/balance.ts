import { HoldRefused } from '../../db/ledger/ledger.ts';
import { usdTextOf } from '../../db/money.ts';
import { secretFreeNanos } from '../../db/ledger/holdRows.ts';
import { findKeyState, type KeyState } from '../../db/keys/keyState.ts';
import { clientSecretRefused, invalidApiKey } from '../../base/errors/keyErrors.ts';
import {
  balanceHeld,
  insufficientBalance,
  keySpendLimitReached,
  type LimitState,
} from '../../base/errors/limitErrors.ts';
import type { Context } from '../context.ts';
import type { CallServices } from '../services.ts';

/**
 * Throws 402 when the balance is zero or the key's ceiling is reached, for calls that are free or whose price is not known yet. Resolves to
 * what the key can spend, including money held by other calls.
 */
export async function refuseUnfunded(ctx: Context, { db }: CallServices): Promise<bigint> {
  const { postedNanos, keyLeftNanos } = await findKeyState(db.pool, ctx.state.key.keyId);
  if (postedNanos <= 0n) throw await explain(ctx, db, new HoldRefused('balance'));
  if (keyLeftNanos !== null && keyLeftNanos <= 0n) throw await explain(ctx, db, new HoldRefused('ceiling'));
  return keyLeftNanos !== null && keyLeftNanos < postedNanos ? keyLeftNanos : postedNanos;
}

/** What large bodies of paid calls ask before they are read. Small ones are validated first, as the order of the checks says. */
export const fundedFirst = (services: CallServices) => ({
  beforeLarge: (ctx: Context) => refuseUnfunded(ctx, services),
});

/** The error of a call that needs at least this much and got no hold: 402, or 429 `balance_held` when the money has become free since. */
export const refusalOf = (ctx: Context, { db }: CallServices, needNanos: bigint): Promise<Error> =>
  explain(ctx, db, new HoldRefused('short', needNanos));

/** Maps a refused hold to the caller's error; returns any other error unchanged. */
export async function explainRefusal(ctx: Context, db: CallServices['db'], error: unknown): Promise<unknown> {
  return error instanceof HoldRefused ? explain(ctx, db, error) : error;
}

async function explain(ctx: Context, db: CallServices['db'], { reason, needNanos }: HoldRefused): Promise<Error> {
  if (reason === 'revoked') return invalidApiKey();
  if (reason === 'secret') return clientSecretRefused('spent');
  const state = await findKeyState(db.pool, ctx.state.key.keyId);
  const { postedNanos, keyLeftNanos } = state;
  const balance: LimitState = { source: 'balance', remainingUsd: usdTextOf(postedNanos), resetsAt: null };
  const key: LimitState = { source: 'key', remainingUsd: usdTextOf(keyLeftNanos ?? 0n), resetsAt: state.resetsAt };
  // Uses the balance at the time of the refusal, not later payments.
  if (reason === 'balance') return insufficientBalance({ ...balance, remainingUsd: '0' });
  if (reason === 'ceiling') return keySpendLimitReached(key);
  const neededUsd = usdTextOf(needNanos);
  if (postedNanos < needNanos) return insufficientBalance({ ...balance, neededUsd });
  if (keyLeftNanos !== null && keyLeftNanos < needNanos) return keySpendLimitReached({ ...key, neededUsd });
  // Running calls hold the rest, of the key's ceiling when that is the limit.
  return balanceHeld(sourceOf(state) === 'key' ? key : balance);
}

/** Which limit stopped a running call: the account's balance or the key's ceiling. */
export async function shortOf(ctx: Context, { db }: CallServices): Promise<LimitState['source']> {
  return sourceOf(await findKeyState(db.pool, ctx.state.key.keyId));
}

/** Whether the limit of the caller's client secret leaves less than balance and key do. */
export async function isSecretShort({ state: { key } }: Context, { db }: CallServices): Promise<boolean> {
  if (key.secretId === undefined) return false;
  const secretNanos = await secretFreeNanos(db.pool, key.secretId);
  const { availableNanos, keyFreeNanos } = await findKeyState(db.pool, key.keyId);
  const freeNanos = keyFreeNanos !== null && keyFreeNanos < availableNanos ? keyFreeNanos : availableNanos;
  return secretNanos !== null && secretNanos < freeNanos;
}

const sourceOf = ({ keyFreeNanos, availableNanos }: KeyState) =>
  keyFreeNanos !== null && keyFreeNanos < availableNanos ? 'key' : 'balance';
