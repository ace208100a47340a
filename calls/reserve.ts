import type { LimitState } from '../base/errors/limitErrors.ts';
import type { Hold } from '../db/ledger/ledger.ts';
import { HoldRefused } from '../db/ledger/hold.ts';
import type { Held } from '../providers/provider.ts';
import { ApiError } from '../base/errors/apiError.ts';
import { explainRefusal, refusalOf, shortOf } from './funds.ts';
import type { Caller } from './caller.ts';
import type { CallServices } from './services.ts';

/** The request header by which a caller asks for a part. */
export const PARTIAL_HEADER = 'x-allow-partial';

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
  truncatedBy: LimitState['source'] | undefined;
}

/**
 * Reserves money for the request: nothing runs without it. A growing hold gets `wholeNanos`, near the last cent `stepNanos`, or what is
 * free from `leastNanos` on. A known price is held completely; with the request header `x-allow-partial: true` less is enough, from
 * `leastNanos` on. Throws 402 `insufficient_balance` or `key_spend_limit_reached` with the needed and the remaining amount, 429
 * `balance_held` after 2 s when only other requests hold it, and 401 when the key was revoked since it was looked up. Where a growing hold
 * would be refused, `counted` says what is really needed.
 */
export async function reserve(
  caller: Caller,
  services: CallServices,
  price: Price,
  counted?: Counted,
): Promise<Reserved> {
  const { wholeNanos, leastNanos, stepNanos } = price;
  if (stepNanos === undefined) return reserveWhole(caller, services, price);
  const held = await placeHold(caller, services, { wantNanos: stepNanos, wholeNanos, needNanos: leastNanos }, counted);
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

async function reserveWhole(caller: Caller, services: CallServices, price: Price): Promise<Reserved> {
  const { wholeNanos, leastNanos, isLeastPrice = false } = price;
  const needNanos = caller.allowsPartial() && leastNanos < wholeNanos ? leastNanos : wholeNanos;
  if (isLeastPrice && !caller.allowsPartial()) throw withAdvice(await refusalOf(caller, services, wholeNanos));
  const held = await placeHold(caller, services, { wantNanos: wholeNanos, needNanos }).catch((error: unknown) => {
    throw needNanos < wholeNanos || leastNanos >= wholeNanos ? error : withAdvice(error);
  });
  if (held.amountNanos >= wholeNanos && !isLeastPrice) return { held, truncatedBy: undefined };
  return { held, truncatedBy: await shortOf(caller, services) };
}

function placeHold(
  caller: Caller,
  { db }: CallServices,
  { wantNanos, ...more }: { wantNanos: bigint; wholeNanos?: bigint; needNanos: bigint },
  counted?: Counted,
): Promise<Hold & Held> {
  const hold = (needNanos: bigint) =>
    db.ledger.hold(caller.key, wantNanos > 0n ? wantNanos : 1n, { ...more, needNanos });
  const placed = hold(more.needNanos).catch(async (error: unknown) => {
    try {
      const leastNanos = isShort(error) ? await counted?.countLeastNanos?.() : undefined;
      if (leastNanos === undefined || leastNanos >= more.needNanos) throw error;
      return await hold(leastNanos);
    } catch (refused) {
      throw await explainRefusal(caller, db, refused);
    }
  });
  const {
    test,
    key: { noRetention },
  } = caller;
  if (!test && !noRetention) return placed as Promise<Hold & Held>;
  return placed.then((held) => Object.assign(held, { test, noRetention })) as Promise<Hold & Held>;
}

/** Whether there is less than was needed, even with nothing held. */
function isShort(error: unknown): boolean {
  return error instanceof HoldRefused && (error.reason === 'short' || error.reason === 'secret');
}

// A caller of what can be answered in part may want the part that the remaining money buys.
function withAdvice(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 402 || error.headers['x-limit-remaining-usd'] === '0')
    return error;
  const { status, code, headers } = error;
  const message = `${error.message} With the header "${PARTIAL_HEADER}: true" the part that can be paid is answered.`;
  return new ApiError({ status, code, headers, message, cause: error });
}
