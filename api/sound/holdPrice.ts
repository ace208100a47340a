import type { Hold } from '../../db/ledger.ts';
import { findKeyState } from '../../db/keys/keyState.ts';
import { ApiError } from '../errors/apiError.ts';
import { invalidRequest } from '../errors/requestErrors.ts';
import { placeHold, refusalOf } from '../guard/balance.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';

const PARTIAL_HEADER = 'x-allow-partial';

/** Money set aside for a sound, and what cut it short when that is less than its price. */
export interface PricedHold {
  hold: Hold;
  truncatedBy: 'balance' | 'key' | undefined;
}

/**
 * Sets the whole price of a sound aside. Throws 402 that names what is needed and what is left, and 429 `balance_held` after 2 s when only
 * other requests hold it. With the request header `x-allow-partial: true` less will do, from `leastNanos` on: the sound is cut to it. Where
 * the whole costs more than `priceNanos` (`isLeastPrice`), which is more than the caller can pay, nothing else will do.
 */
export async function holdPrice(
  ctx: Context,
  services: Services,
  { priceNanos, leastNanos, isLeastPrice = false }: { priceNanos: bigint; leastNanos: bigint; isLeastPrice?: boolean },
): Promise<PricedHold> {
  const needNanos = allowsPartial(ctx) && leastNanos < priceNanos ? leastNanos : priceNanos;
  if (isLeastPrice && !allowsPartial(ctx)) throw withAdvice(await refusalOf(ctx, services, priceNanos));
  const hold = await placeHold(ctx, services, priceNanos, { needNanos }).catch((error: unknown) => {
    throw needNanos < priceNanos ? error : withAdvice(error);
  });
  if (hold.amountNanos >= priceNanos && !isLeastPrice) return { hold, truncatedBy: undefined };
  const { keyFreeNanos, availableNanos } = await findKeyState(services.db.pool, ctx.state.key.keyId);
  return { hold, truncatedBy: keyFreeNanos !== null && keyFreeNanos < availableNanos ? 'key' : 'balance' };
}

/** Headers that mark an answer that was cut short. */
export const truncationHeaders = ({ truncatedBy }: PricedHold): Record<string, string> =>
  truncatedBy ? { 'x-truncated': truncatedBy } : {};

function allowsPartial({ req }: Context): boolean {
  const said = req.headers[PARTIAL_HEADER];
  if (said === undefined || said === 'false') return false;
  if (said === 'true') return true;
  throw invalidRequest('invalid_value', `The header ${PARTIAL_HEADER} is "true" or "false".`, PARTIAL_HEADER);
}

// Of a sum that is left, the caller may want what it buys.
function withAdvice(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 402 || error.headers['x-limit-remaining-usd'] === '0')
    return error;
  const { status, code, headers } = error;
  const message = `${error.message} With the header "${PARTIAL_HEADER}: true" the part that can be paid is answered.`;
  return new ApiError({ status, code, headers, message, cause: error });
}
