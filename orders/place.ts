import { agentIn } from '../base/agentNames.ts';
import { fundsError } from '../calls/funds.ts';
import type { AgentModels } from '../db/agents/agentModels.ts';
import { findPluginNeeds } from '../db/plugins/pluginSecrets.ts';
import type { ResolvedAgent } from '../db/agents/publicAgents.ts';
import type { Database } from '../db/database.ts';
import { StorageRefused } from '../db/files/upload.ts';
import { HoldRefused, type Spender } from '../db/ledger/ledger.ts';
import { childRunIdOf, createChildRun } from '../db/runs/childRuns.ts';
import { createRun, type NewRun } from '../db/runs/createRun.ts';
import type { RerunOrder } from '../db/runs/steps/rerunSteps.ts';
import type { FlowRuleRow } from '../db/runs/flow/rules.ts';
import { RunRefused } from '../db/runs/runRefused.ts';
import type { RunRow } from '../db/runs/runRow.ts';
import { flowOf, readRule } from './flow.ts';
import { findSold, refuseOtherAgents, type Orderer, type Sold } from './findAgent.ts';
import { checkInput } from './input.ts';
import type { Order } from './order.ts';
import { cappedCostOf, maxCostOf, priceOf, readTerms, type TermsOf } from './price.ts';
import { OrderRefused } from './refused.ts';
import { webhookOf } from './webhook.ts';

/** The services of a process that places orders. */
export interface OrderServices {
  db: Pick<Database, 'pool' | 'ledger' | 'read' | 'write' | 'everywhere'>;
  agentModels: AgentModels;
  config: { openRunsMax: number; webhookLoopback: boolean };
}

/** Notifies the workflows of runs without waiting: the sweep delivers failed notifications. */
export interface Starter {
  start: (run: RunRow) => void;
  cancel: (run: RunRow) => void;
  /** Lets waiting runs of a workspace start whose turn it is: those in the lanes of the run, or all; after a while, if it is given. */
  turn: (of: { workspaceId: string; runId?: string }, inMs?: number) => void;
}

/** An order, its payer, and the id of its run: a second order with that id creates no other run. */
interface Ordering {
  by: Orderer;
  runId: string;
  order: Order;
  /** Called with the found agent, before the run is created. */
  onFound?: (agent: ResolvedAgent) => void;
}

/**
 * `mayWait`: false if the caller cannot supply a plugin's requirement while the run waits. `rerun`: it repeats a run. `terms` and `rule`: of
 * its workspace, if they have been read.
 */
type Ordered = Ordering &
  Sold & { rerun?: RerunOrder | undefined; mayWait?: boolean; terms?: TermsOf; rule?: FlowRuleRow | null };

/** Creates the ordered run and starts its workflow. Returns an existing run of that id unchanged. Throws `OrderRefused`. */
export async function placeOrder(
  services: OrderServices & { runStarter: Starter },
  ordering: Ordering,
): Promise<RunRow> {
  const { workspaceId } = ordering.by;
  // Read side by side: none depends on another.
  const [sold, terms, rule] = await Promise.all([
    findSold(services, ordering, ordering.order),
    readTerms(services, workspaceId),
    readRule(services, workspaceId, agentIn(ordering.order.agent)),
  ]);
  ordering.onFound?.(sold.agent);
  return placeSold(services, { ...ordering, ...sold, terms, rule });
}

/** The same for a version that is already known. */
export async function placeSold(services: OrderServices & { runStarter: Starter }, ordered: Ordered): Promise<RunRow> {
  const { db, runStarter } = services;
  const { run, interrupted, admitted, nextMs } = await store(db, await prepareOrder(services, ordered));
  const { workspace_id: workspaceId } = run;
  for (const row of interrupted) runStarter.cancel(row);
  if (interrupted.some((row) => row.flow && row.settled_at !== null)) runStarter.turn({ workspaceId });
  for (const row of admitted) runStarter.start(row);
  if (nextMs !== undefined) runStarter.turn({ workspaceId }, nextMs);
  // A run that waits for its session or its turn starts at the end of another run.
  if (!run.waiting && run.workflow_started_at === null) runStarter.start(run);
  return run;
}

/** Checks an order without placing it. Throws `OrderRefused`. */
export async function prepareOrder(
  services: OrderServices,
  { rerun, mayWait = true, rule: known, ...ordered }: Ordered,
): Promise<NewRun> {
  const { by, order, agent } = ordered;
  const { workspaceId } = by;
  refuseOtherAgents(by, agent.agent);
  const [price, rule] = await Promise.all([
    priceOf(services, { workspaceId, ...ordered }),
    // Tests of drafts are not held up by rules for the agent's runs.
    order.source === 'test' ? null : known === undefined ? readRule(services, workspaceId, agent.agent) : known,
  ]);
  const maxCostNanos = maxCostOf(order, price.pricing);
  await checkInput(services, { by, order, agent });
  if (!mayWait) await refusePluginNeeds(services, workspaceId, agent);
  const webhook = await webhookOf(services, workspaceId, order);
  const flow = flowOf({ ...order, agent: agent.agent }, rule);
  return newRunOf(services, { ...ordered, ...price, ...webhook, maxCostNanos, rerun, flow });
}

/**
 * Creates the run that a step of another run orders, with a part of that run's money; does not start its workflow. `prices`: of a run of
 * the platform itself, without its fee. Returns an existing run unchanged. Throws `OrderRefused`.
 */
export async function placeChild(
  services: OrderServices,
  {
    parent,
    prices,
    ...ordering
  }: Omit<Ordering, 'runId'> & Pick<Sold, 'agent' | 'prices'> & { parent: { runId: string; step: number } },
): Promise<RunRow> {
  const { by, order, agent } = ordering;
  const { workspaceId } = by;
  const price = await priceOf(services, { workspaceId, agent, ...(prices && { prices, isOwn: true }) });
  await checkInput(services, { by, order, agent });
  const maxCostNanos = cappedCostOf(order, price.pricing);
  const { runId: parentId, step } = parent;
  const run = { ...ordering, ...price, ...NO_WEBHOOK, maxCostNanos, runId: childRunIdOf(parentId, step) };
  const child = newRunOf(services, run);
  return createChildRun(services.db, { parentId, step, order: child }).catch(async (error: unknown) => {
    throw await refusalOf(services.db, child, error);
  });
}

/**
 * Creates a run of the platform itself, at its own costs, paid by `fund`; does not start its workflow. Returns an existing run of that id
 * unchanged. Throws `OrderRefused`.
 */
export async function placeOwn(
  services: Pick<OrderServices, 'db' | 'agentModels'>,
  {
    openRunsMax,
    ...ordering
  }: Omit<Ordering, 'by'> &
    Required<Pick<Sold, 'agent' | 'prices'>> & { by: Spender } & Pick<NewRun, 'fund' | 'maxCostNanos' | 'openRunsMax'>,
): Promise<RunRow> {
  const price = await priceOf(services, { workspaceId: ordering.by.workspaceId, ...ordering, isOwn: true });
  const { run } = await store(
    services.db,
    newRunOf({ config: { openRunsMax } }, { ...ordering, ...price, ...NO_WEBHOOK }),
  );
  return run;
}

const NO_WEBHOOK = { webhookUrl: null, webhookEvents: null };

async function refusePluginNeeds({ db }: OrderServices, workspaceId: string, agent: ResolvedAgent): Promise<void> {
  const [need] = await findPluginNeeds(db.everywhere, workspaceId, agent.configuration.plugins);
  if (need) throw new OrderRefused({ reason: 'plugin_need_missing', need });
}

type Chosen = Pick<
  NewRun,
  'pricing' | 'isRehearsed' | 'maxCostNanos' | 'rerun' | 'flow' | 'fund' | 'webhookUrl' | 'webhookEvents'
>;

function newRunOf(
  { config }: { config: Pick<OrderServices['config'], 'openRunsMax'> },
  { by, runId, order, agent, ...chosen }: Omit<Ordering, 'by'> & { by: Spender; agent: ResolvedAgent } & Chosen,
): NewRun {
  const { pricing, isRehearsed, maxCostNanos, rerun, flow, fund, webhookUrl, webhookEvents } = chosen;
  return {
    id: runId,
    key: by,
    agent,
    pricing,
    isRehearsed,
    maxCostNanos,
    rerun,
    flow,
    fund,
    webhookUrl,
    webhookEvents,
    visibility: order.visibility,
    sessionId: order.session_id ?? null,
    input: order.input,
    responseFormat: order.response_format ?? null,
    onLimit: order.on_limit,
    onDisconnect: order.on_disconnect ?? 'continue',
    ifSessionBusy: order.if_session_busy,
    priority: order.priority,
    timeoutSeconds: order.timeout_seconds,
    startAfterSeconds: order.start_after_seconds,
    source: order.source,
    metadata: order.metadata,
    endUser: order.user ?? null,
    state: order.state,
    openRunsMax: config.openRunsMax,
  };
}

async function store(db: OrderServices['db'], order: NewRun): ReturnType<typeof createRun> {
  try {
    return await createRun(db, order);
  } catch (error) {
    throw await refusalOf(db, order, error);
  }
}

/** Maps a database error to its refusal; returns other errors unchanged. */
async function refusalOf(
  { pool }: OrderServices['db'],
  { key }: Pick<NewRun, 'key'>,
  error: unknown,
): Promise<unknown> {
  if (error instanceof StorageRefused) return new OrderRefused({ reason: 'storage_refused', refused: error });
  if (error instanceof HoldRefused)
    return new OrderRefused({ reason: 'unfunded', error: await fundsError(pool, key.keyId, error) });
  return error instanceof RunRefused ? new OrderRefused(error.refusal) : error;
}
