import { HoldRefused } from '../db/ledger/ledger.ts';
import type { LimitState } from '../base/errors/limitErrors.ts';
import { fundsError, limitingSourceOf } from './fundsError.ts';
import { findKeyState } from '../db/keys/keyState.ts';
import { secretFreeNanos } from '../db/ledger/holdRows.ts';
import type { Context } from '../api/context.ts';
import type { CallServices } from '../api/services.ts';

/**
 * Throws 402 when the balance is zero or the key's ceiling is reached, for calls that are free or whose price is not known yet. Resolves to
 * what the key can spend, including money held by other calls.
 */
export async function refuseUnfunded(ctx: Context, { db }: CallServices): Promise<bigint> {
  const { postedNanos, keyLeftNanos } = await findKeyState(db.pool, ctx.state.key.keyId);
  if (postedNanos <= 0n) throw await fundsError(db.pool, ctx.state.key.keyId, new HoldRefused('balance'));
  if (keyLeftNanos !== null && keyLeftNanos <= 0n)
    throw await fundsError(db.pool, ctx.state.key.keyId, new HoldRefused('ceiling'));
  return keyLeftNanos !== null && keyLeftNanos < postedNanos ? keyLeftNanos : postedNanos;
}

/** What large bodies of paid calls ask before they are read. Small ones are validated first, as the order of the checks says. */
export const fundedFirst = (services: CallServices) => ({
  beforeLarge: (ctx: Context) => refuseUnfunded(ctx, services),
});

/** The error of a call that needs at least this much and got no hold: 402, or 429 `balance_held` when the money has become free since. */
export const refusalOf = (ctx: Context, { db }: CallServices, needNanos: bigint): Promise<Error> =>
  fundsError(db.pool, ctx.state.key.keyId, new HoldRefused('short', needNanos));

/** Maps a refused hold to the caller's error; returns any other error unchanged. */
export async function explainRefusal(ctx: Context, db: CallServices['db'], error: unknown): Promise<unknown> {
  return error instanceof HoldRefused ? fundsError(db.pool, ctx.state.key.keyId, error) : error;
}

/** Which limit stopped a running call: the account's balance or the key's ceiling. */
export async function shortOf(ctx: Context, { db }: CallServices): Promise<LimitState['source']> {
  return limitingSourceOf(await findKeyState(db.pool, ctx.state.key.keyId));
}

/** Whether the limit of the caller's client secret leaves less than balance and key do. */
export async function isSecretShort({ state: { key } }: Context, { db }: CallServices): Promise<boolean> {
  if (key.secretId === undefined) return false;
  const secretNanos = await secretFreeNanos(db.pool, key.secretId);
  const { availableNanos, keyFreeNanos } = await findKeyState(db.pool, key.keyId);
  const freeNanos = keyFreeNanos !== null && keyFreeNanos < availableNanos ? keyFreeNanos : availableNanos;
  return secretNanos !== null && secretNanos < freeNanos;
}
