import type { Hold } from '../db/ledger/ledger.ts';
import { HoldRefused } from '../db/ledger/hold.ts';
import { usdTextOf } from '../db/money.ts';
import { findKeyState } from '../db/keys/keyState.ts';
import type { Held } from '../providers/provider.ts';
import { ApiError } from '../base/errors/apiError.ts';
import { invalidRequest } from '../base/errors/requestErrors.ts';
import { explainRefusal, refusalOf } from './funds.ts';
import { testCallOf } from '../api/guard/testMode.ts';
import type { Context } from '../api/context.ts';
import type { CallServices } from '../api/services.ts';

const PARTIAL_HEADER = 'x-allow-partial';

/** The amounts that a paid call reserves before it starts. */
export interface Price {
  /** The whole price. For a growing hold: its first step while the account has plenty of money. */
  wholeNanos: bigint;
  /** The least amount with which the call runs. */
  leastNanos: bigint;
  /** For a hold that grows with the output: its first step near the last cent. Absent: the whole price is known and held. */
  stepNanos?: bigint;
  /** The price is at least `wholeNanos`, and more than the caller can pay. */
  isLeastPrice?: boolean;
}

/** Money reserved for one call, and what cut the call short when that is less than its price. */
export interface Reserved {
  held: Hold & Held;
  truncatedBy: 'balance' | 'key' | undefined;
}

/**
 * Reserves money for the request: nothing runs without it. A growing hold gets `wholeNanos`, near the last cent `stepNanos`, or what is
 * free from `leastNanos` on. A known price is held completely; with the request header `x-allow-partial: true` less is enough, from
 * `leastNanos` on. Throws 402 `insufficient_balance` or `key_spend_limit_reached` with the needed and the remaining amount, 429
 * `balance_held` after 2 s when only other requests hold it, and 401 when the key was revoked since it was looked up. Where a growing hold
 * would be refused, `counted` says what is really needed.
 */
export async function reserve(
  ctx: Context,
  services: CallServices,
  price: Price,
  counted?: Counted,
): Promise<Reserved> {
  const { wholeNanos, leastNanos, stepNanos } = price;
  if (stepNanos === undefined) return reserveWhole(ctx, services, price);
  const held = await placeHold(ctx, services, { wantNanos: stepNanos, wholeNanos, needNanos: leastNanos }, counted);
  return { held, truncatedBy: undefined };
}

/** Counts the least amount of a call. */
interface Counted {
  countLeastNanos?(): Promise<bigint>;
}

/** The cost of a call whose price is known before it runs, and what cut it short. */
export interface Priced extends Pick<Reserved, 'truncatedBy'> {
  costNanos: bigint;
}

/** Sets the headers of such an answer. */
export function setPricedHeaders({ res, state }: Context, { costNanos, truncatedBy }: Priced): void {
  res.setHeader('request-id', state.requestId);
  res.setHeader('x-cost-usd', usdTextOf(costNanos));
  if (truncatedBy) res.setHeader('x-truncated', truncatedBy);
}

async function reserveWhole(ctx: Context, services: CallServices, price: Price): Promise<Reserved> {
  const { wholeNanos, leastNanos, isLeastPrice = false } = price;
  const needNanos = allowsPartial(ctx) && leastNanos < wholeNanos ? leastNanos : wholeNanos;
  if (isLeastPrice && !allowsPartial(ctx)) throw withAdvice(await refusalOf(ctx, services, wholeNanos));
  const held = await placeHold(ctx, services, { wantNanos: wholeNanos, needNanos }).catch((error: unknown) => {
    throw needNanos < wholeNanos ? error : withAdvice(error);
  });
  if (held.amountNanos >= wholeNanos && !isLeastPrice) return { held, truncatedBy: undefined };
  const { keyFreeNanos, availableNanos } = await findKeyState(services.db.pool, ctx.state.key.keyId);
  return { held, truncatedBy: keyFreeNanos !== null && keyFreeNanos < availableNanos ? 'key' : 'balance' };
}

function placeHold(
  ctx: Context,
  { db }: CallServices,
  { wantNanos, ...more }: { wantNanos: bigint; wholeNanos?: bigint; needNanos: bigint },
  counted?: Counted,
): Promise<Hold & Held> {
  const hold = (needNanos: bigint) =>
    db.ledger.hold(ctx.state.key, wantNanos > 0n ? wantNanos : 1n, { ...more, needNanos });
  const placed = hold(more.needNanos)
    .catch(async (error: unknown) => {
      const leastNanos = isShort(error) ? await counted?.countLeastNanos?.() : undefined;
      if (leastNanos === undefined || leastNanos >= more.needNanos) throw error;
      return hold(leastNanos);
    })
    .catch(async (error: unknown) => {
      throw await explainRefusal(ctx, db, error);
    });
  const test = testCallOf(ctx);
  if (!test) return placed as Promise<Hold & Held>;
  return placed.then((held) => Object.assign(held, { test })) as Promise<Hold & Held>;
}

/** Whether there is less than was needed, even with nothing held. */
function isShort(error: unknown): boolean {
  return error instanceof HoldRefused && (error.reason === 'short' || error.reason === 'secret');
}

function allowsPartial({ req }: Context): boolean {
  const said = req.headers[PARTIAL_HEADER];
  if (said === undefined || said === 'false') return false;
  if (said === 'true') return true;
  throw invalidRequest('invalid_value', `The header ${PARTIAL_HEADER} is "true" or "false".`, PARTIAL_HEADER);
}

// The caller may want the part that the remaining money buys.
function withAdvice(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 402 || error.headers['x-limit-remaining-usd'] === '0')
    return error;
  const { status, code, headers } = error;
  const message = `${error.message} With the header "${PARTIAL_HEADER}: true" the part that can be paid is answered.`;
  return new ApiError({ status, code, headers, message, cause: error });
}
