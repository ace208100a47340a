import { usdOf } from '../../db/money.ts';
import { ONE_CALL, stepCostNanosOf } from '../../db/runs/cost/runCost.ts';
import { estimateCost } from '../../db/runs/cost/quotes.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { ToolCall } from '../../db/runs/steps/stepRecords.ts';
import { findCallable } from '../../orders/findAgent.ts';
import { cappedCostOf, priceOf } from '../../orders/price.ts';
import { OrderRefused } from '../../orders/refused.ts';
import { CALL_AGENT_NAME } from '../../tools/tool.ts';
import type { RunDependencies } from '../dependencies.ts';
import { ordererOf } from './calledAgent.ts';

/** What a call costs as far as that is known before it: null where it is not. */
interface ExpectedCost {
  expected_cost_usd: number | null;
  maximum_cost_usd: number | null;
}

const UNKNOWN: ExpectedCost = { expected_cost_usd: null, maximum_cost_usd: null };

/** Of a tool: the price of one call, and nothing above it unless it runs in the sandbox. Of an agent: its quote and its maximum. */
export async function expectedCostOf(
  dependencies: RunDependencies,
  { run, call, args }: { run: RunRow; call: ToolCall; args: object },
): Promise<ExpectedCost> {
  if (call.name === CALL_AGENT_NAME) return costOfAgent(dependencies, run, args);
  const usd = usdOf(stepCostNanosOf(run, ONE_CALL));
  return { expected_cost_usd: usd, maximum_cost_usd: call.name === 'run_code' ? null : usd };
}

async function costOfAgent(
  { db, orders }: RunDependencies,
  run: RunRow,
  { agent: name, max_cost_usd: wish }: { agent?: unknown; max_cost_usd?: unknown },
): Promise<ExpectedCost> {
  if (typeof name !== 'string') return UNKNOWN;
  const { workspace_id: workspaceId } = run;
  try {
    const { agent } = await findCallable(orders, await ordererOf(db, run), name);
    const { pricing } = await priceOf(orders, { workspaceId, agent });
    const limit = typeof wish === 'number' && wish > 0 ? wish : undefined;
    const maxUsd = usdOf(cappedCostOf({ max_cost_usd: limit }, pricing));
    const { p50Usd, basedOn } = await estimateCost(db.everywhere, { workspaceId, agent, pricing, maxUsd });
    return { expected_cost_usd: basedOn === 'rate_card' ? null : p50Usd, maximum_cost_usd: maxUsd };
  } catch (error) {
    if (error instanceof OrderRefused) return UNKNOWN;
    throw error;
  }
}
