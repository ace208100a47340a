import type { Bill } from '../../../db/ledger/ledger.ts';
import type { Settlement } from '../../../db/ledger/settlement.ts';

/** A settlement on disk of a call unknown to this process. */
export function lateSettlement(
  bill: Bill,
  { hold, cost, charge }: { hold: string; cost: bigint; charge: bigint },
): Settlement {
  const { spender, requestId, route, model, status, cancelled, usage, product } = bill;
  // prettier-ignore
  return {
    id: requestId, workspace: spender.workspaceId, account: spender.accountId, key: spender.keyId, hold,
    route, model, status, cancelled, usage, cost: Number(cost), charge: Number(charge), held: Number(charge),
    started: new Date().toISOString(), first: null, duration: 1, bytes: 0,
    upstream: null, attempts: 0, finish: null, cached: null, reasoning: null, price: null, product,
  };
}
