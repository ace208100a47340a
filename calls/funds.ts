import type { ApiError } from '../base/errors/apiError.ts';
import { clientSecretRefused, invalidApiKey } from '../base/errors/keyErrors.ts';
import {
  balanceHeld,
  insufficientBalance,
  keySpendLimitReached,
  projectSpendLimitReached,
  type LimitState,
} from '../base/errors/limitErrors.ts';
import { findKeyState, type KeyState } from '../db/keys/keyState.ts';
import { isHeldInPart, secretFreeNanos } from '../db/ledger/holdRows.ts';
import { HoldRefused } from '../db/ledger/ledger.ts';
import { usdTextOf } from '../db/money.ts';
import type { Queryable } from '../db/postgres/queryable.ts';
import type { Caller } from './caller.ts';
import type { CallServices } from './services.ts';

type Payer = Pick<Caller, 'key'>;
type Db = Pick<CallServices, 'db'>;

/**
 * Throws 402 when the balance is zero, or the ceiling of the key or of its project is reached, for calls that are free or whose price is not known yet. Resolves to
 * what the key can spend, including money held by other calls.
 */
export async function refuseUnfunded(caller: Payer, { db }: Db): Promise<bigint> {
  const { postedNanos, keyLeftNanos, projectLeftNanos } = await findKeyState(db.pool, caller.key.keyId);
  const refused = (reason: HoldRefused['reason']) => fundsError(db.pool, caller.key.keyId, new HoldRefused(reason));
  if (postedNanos <= 0n) throw await refused('balance');
  if (keyLeftNanos !== null && keyLeftNanos <= 0n) throw await refused('ceiling');
  if (projectLeftNanos !== null && projectLeftNanos <= 0n) throw await refused('project');
  return [keyLeftNanos, projectLeftNanos].reduce<bigint>(
    (least, left) => (left !== null && left < least ? left : least),
    postedNanos,
  );
}

/**
 * The error of a call whose hold did not grow by what its next part costs: 402, or 429 `balance_held` where other requests hold that much.
 */
export async function endedByMoney(caller: Payer, { db }: Db, partNanos: bigint): Promise<ApiError> {
  // What the call has cost is left no more.
  await db.ledger.posted();
  if (await isSecretShort(caller, { db })) return clientSecretRefused('spent');
  return fundsError(db.pool, caller.key.keyId, { reason: 'short', needNanos: partNanos, isBegun: true });
}

/** The error of a call that needs at least this much and got no hold: 402, or 429 `balance_held` when the money has become free since. */
export const refusalOf = (caller: Payer, { db }: Db, needNanos: bigint): Promise<ApiError> =>
  fundsError(db.pool, caller.key.keyId, new HoldRefused('short', needNanos));

/** Maps a refused hold to the caller's error; returns any other error unchanged. */
export async function explainRefusal(caller: Payer, db: CallServices['db'], error: unknown): Promise<unknown> {
  return error instanceof HoldRefused ? fundsError(db.pool, caller.key.keyId, error) : error;
}

/** Which limit stopped a running call: the account's balance or the key's ceiling. */
export async function shortOf(caller: Payer, { db }: Db): Promise<LimitState['source']> {
  return limitingSourceOf(await findKeyState(db.pool, caller.key.keyId));
}

/** Whether the limit of the caller's client secret leaves less than balance and key do. */
async function isSecretShort({ key }: Payer, { db }: Db): Promise<boolean> {
  if (key.secretId === undefined) return false;
  const secretNanos = await secretFreeNanos(db.pool, key.secretId);
  const { availableNanos, keyFreeNanos } = await findKeyState(db.pool, key.keyId);
  const freeNanos = keyFreeNanos !== null && keyFreeNanos < availableNanos ? keyFreeNanos : availableNanos;
  return secretNanos !== null && secretNanos < freeNanos;
}

/** The error of a hold that a key did not get, with the state of its limits. */
export async function fundsError(
  pool: Queryable,
  keyId: string,
  { reason, needNanos, isBegun }: Pick<HoldRefused, 'reason' | 'needNanos'> & Pick<LimitState, 'isBegun'>,
): Promise<ApiError> {
  if (reason === 'revoked') return invalidApiKey();
  if (reason === 'secret') return clientSecretRefused('spent');
  const state = await findKeyState(pool, keyId);
  const { postedNanos, keyLeftNanos, projectLeftNanos } = state;
  const balance: LimitState = { source: 'balance', remainingUsd: usdTextOf(postedNanos), resetsAt: null };
  const key: LimitState = { source: 'key', remainingUsd: usdTextOf(keyLeftNanos ?? 0n), resetsAt: state.resetsAt };
  const project: LimitState = {
    source: 'project',
    remainingUsd: usdTextOf(projectLeftNanos ?? 0n),
    resetsAt: state.projectResetsAt,
  };
  // Nothing was left at the time of the refusal, whatever was paid since.
  if (reason === 'balance') return insufficientBalance(postedNanos < 0n ? balance : { ...balance, remainingUsd: '0' });
  if (reason === 'ceiling') return keySpendLimitReached(key);
  if (reason === 'project') return projectSpendLimitReached(project);
  const need = { neededUsd: usdTextOf(needNanos), isBegun };
  if (postedNanos < needNanos) return insufficientBalance({ ...balance, ...need });
  if (keyLeftNanos !== null && keyLeftNanos < needNanos) return keySpendLimitReached({ ...key, ...need });
  if (projectLeftNanos !== null && projectLeftNanos < needNanos)
    return projectSpendLimitReached({ ...project, ...need });
  const source = limitingSourceOf(state);
  const limit = { balance, key, project }[source];
  const freeNanos = source === 'key' ? state.keyFreeNanos! : state.availableNanos;
  // What is free would do: not the money is missing, but the turn of a partial hold. The state does not say what is free of a project.
  if (reason === 'held' && source !== 'project' && freeNanos >= needNanos && (await isHeldInPart(pool, keyId)))
    return balanceHeld(limit, usdTextOf(freeNanos));
  // Running calls hold the rest, of the ceiling that is the limit.
  return balanceHeld(limit);
}

/** Which limit leaves a key the least: its own, its project's, or the balance. */
function limitingSourceOf({ keyFreeNanos, projectLeftNanos, availableNanos }: KeyState): LimitState['source'] {
  const ownNanos = keyFreeNanos !== null && keyFreeNanos < availableNanos ? keyFreeNanos : availableNanos;
  if (projectLeftNanos !== null && projectLeftNanos < ownNanos) return 'project';
  return ownNanos < availableNanos ? 'key' : 'balance';
}
