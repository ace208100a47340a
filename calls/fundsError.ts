import { clientSecretRefused, invalidApiKey } from '../base/errors/keyErrors.ts';
import { balanceHeld, insufficientBalance, keySpendLimitReached, type LimitState } from '../base/errors/limitErrors.ts';
import type { ApiError } from '../base/errors/apiError.ts';
import { findKeyState, type KeyState } from '../db/keys/keyState.ts';
import type { HoldRefused } from '../db/ledger/ledger.ts';
import { usdTextOf } from '../db/money.ts';
import type { Queryable } from '../db/postgres/queryable.ts';

/** The error of a hold that a key did not get, with the state of its limits. */
export async function fundsError(
  pool: Queryable,
  keyId: string,
  { reason, needNanos }: Pick<HoldRefused, 'reason' | 'needNanos'>,
): Promise<ApiError> {
  if (reason === 'revoked') return invalidApiKey();
  if (reason === 'secret') return clientSecretRefused('spent');
  const state = await findKeyState(pool, keyId);
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
  return balanceHeld(limitingSourceOf(state) === 'key' ? key : balance);
}

/** Which limit leaves a key the least: its own, or the balance. */
export const limitingSourceOf = ({ keyFreeNanos, availableNanos }: KeyState): LimitState['source'] =>
  keyFreeNanos !== null && keyFreeNanos < availableNanos ? 'key' : 'balance';
