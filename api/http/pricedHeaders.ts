import type { Priced } from '../../calls/reserve.ts';
import { usdTextOf } from '../../db/money.ts';
import type { Context } from '../context.ts';

/** Sets the headers of an answer with a price known in advance. */
export function setPricedHeaders({ res, state }: Context, { costNanos, truncatedBy }: Priced): void {
  res.setHeader('request-id', state.requestId);
  setCharge(res, costNanos);
  if (truncatedBy) res.setHeader('x-truncated', truncatedBy);
}

/** Sets the header with the charge. */
export const setCharge = (res: Context['res'], nanos: bigint): void =>
  void res.setHeader('x-cost-usd', usdTextOf(nanos));
