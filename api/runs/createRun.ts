import type { z } from 'zod';
import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import { findPluginNeeds } from '../../db/plugins/pluginSecrets.ts';
import { pricingOf, type Pricing } from '../../db/agents/pricing.ts';
import { resolveAgent, type ResolvedAgent } from '../../db/agents/publicAgents.ts';
import { StorageRefused } from '../../db/files/upload.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { createRun as storeRun, newSessionIdOf, type NewRun } from '../../db/runs/createRun.ts';
import { findQuote } from '../../db/runs/cost/quotes.ts';
import { RunRefused } from '../../db/runs/runRefused.ts';
import type { RerunOrder } from '../../db/runs/steps/rerunSteps.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { pluginNeedMissing } from '../plugins/pluginSecrets.ts';
import type { Context, Handler } from '../context.ts';
import { storageError } from '../../base/errors/storageErrors.ts';
import { explainRefusal } from '../guard/balance.ts';
import { withTestFault } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import type { RunStarter } from '../temporal/runStarter.ts';
import { answerRun } from './answerRun.ts';
import { checkInput } from './checkInput.ts';
import {
  tooManyRuns,
  agentNotAllowed,
  agentNotFound,
  agentSuspended,
  contentDeleted,
  modelUnavailable,
  invalidCost,
  quoteExpired,
  quoteMismatch,
  quoteNotFound,
  runNotEnded,
  runNotFound,
  sessionBusy,
  sessionNotFound,
  stepNotReusable,
  unbilledStepsCheaper,
  unbilledStepsCost,
} from './errors.ts';
import type { RunOrder } from './runSchema.ts';
import { runWebhookOf } from '../webhooks/runWebhook.ts';

/** An order of a run; `test` and `schedule` are sources that callers cannot name. */
export type Order = Omit<z.output<typeof RunOrder>, 'source' | 'input'> & {
  source: z.output<typeof RunOrder>['source'] | 'test' | 'schedule';
  input: NewRun['input'];
};

/** What the creation of a run needs: workers create those of schedules. */
export type RunServices = Pick<Services, 'db' | 'agentModels'> & {
  config: Pick<Services['config'], 'networkFeePercentage' | 'openRunsMax' | 'webhookLoopback'>;
  runStarter: Pick<RunStarter, 'start' | 'cancel'>;
};

/**
 * `POST /v1/runs`: starts a run. 202 with the run as created, 200 when it ended while the caller waited (`Prefer: wait=n`), or its events
 * (`stream`). The run is on disk before the answer begins; its workflow is started as soon as Temporal is reachable.
 */
export function createRun(services: Services): Handler<Order> {
  return async (ctx) => {
    const order = ctx.state.input;
    const run = await placeRun(ctx, services, order);
    await answerRun(ctx, services, run, order);
  };
}

/**
 * Creates the ordered run under the id in `ctx.state.resourceId` and starts its workflow. Returns an existing run of that id unchanged.
 * Throws the reason when it cannot be created.
 */
export async function placeRun(ctx: Context, services: RunServices, order: Order): Promise<RunRow> {
  return placeRunOf(ctx, services, { order, ...(await findOrdered(ctx, services, order)) });
}

/** What a run is sold as: its version, with other prices or a promised price list instead of its own. */
interface Sold {
  agent: ResolvedAgent;
  prices?: AgentConfiguration['pricing'];
  quoted?: Pricing;
}

/** The same for a version that was found already; with `rerun` it repeats a run. */
export async function placeRunOf(ctx: Context, services: RunServices, ordered: Ordered): Promise<RunRow> {
  return place(ctx, services, await prepareRun(ctx, services, ordered));
}

/** `mayWait`: false where the caller cannot give to a plugin what it needs while the run waits. */
type Ordered = Sold & { order: Order; rerun?: RerunOrder; mayWait?: boolean };

/** Checks an order without placing it. Throws the reason when no run can be made of it. */
export async function prepareRun(
  ctx: Context,
  services: RunServices,
  { order, rerun, mayWait = true, ...sold }: Ordered,
): Promise<NewRun> {
  const { agent } = sold;
  refuseOtherAgents(ctx, agent.agent);
  const { workspaceId } = ctx.state.key;
  const price = priceOf(services, { workspaceId, order, ...sold });
  await checkInput(services, { workspaceId, order, agent });
  if (!mayWait) await refusePluginNeeds(services, workspaceId, agent);
  const webhook = await runWebhookOf(services, workspaceId, order);
  return newRunOf(ctx, services, { order, agent, rerun, ...price, ...webhook });
}

async function refusePluginNeeds({ db }: RunServices, workspaceId: string, agent: ResolvedAgent): Promise<void> {
  const [need] = await findPluginNeeds(db.everywhere, workspaceId, agent.configuration.plugins);
  if (need) throw pluginNeedMissing(need);
}

/** The price list of an ordered run, and the most that it may cost. Throws 422 for a `max_cost_usd` outside of the list. */
export function priceOf(
  { config, agentModels }: Pick<RunServices, 'config' | 'agentModels'>,
  { workspaceId, order, agent, prices, quoted }: Sold & { workspaceId: string; order: Order },
): Pick<NewRun, 'pricing' | 'isRehearsed' | 'maxCostNanos'> & { pricing: Pricing } {
  const platformCosts = agentModels.costsOf(agent.configuration);
  const priced = prices ? { ...agent, configuration: { pricing: prices } } : agent;
  const isRehearsed = agentModels.isRehearsed(agent.configuration);
  const isFree = agentModels.isFree(agent.configuration, workspaceId);
  const { networkFeePercentage } = config;
  const pricing = quoted ?? pricingOf(priced, { platformCosts, networkFeePercentage, isFree });
  return { pricing, isRehearsed, maxCostNanos: maxCostOf(order, pricing) };
}

/**
 * The version that an order names; with a quote, the version and price list that it promises, also when another version is live by now. Throws as
 * `findAgent`, 404 `quote_not_found`, 409 `quote_expired` and `quote_mismatch`.
 */
async function findOrdered(ctx: Context, services: RunServices, order: Order): Promise<Sold> {
  const { quote_id: quoteId, version } = order;
  if (quoteId === undefined) return { agent: await findAgent(ctx, services, order) };
  const quote = await findQuote(services.db.read(ctx.state.key.workspaceId), quoteId);
  if (!quote) throw quoteNotFound(quoteId);
  if (quote.isExpired) throw quoteExpired(quoteId);
  const { agent: name, versionId, visibility, rateCard: quoted } = quote;
  const agent = await findAgent(ctx, services, { agent: name, version: versionId, visibility });
  const isOther = version !== undefined && version !== versionId && version !== agent.version;
  if (order.agent !== name || order.visibility !== visibility || isOther) throw quoteMismatch(name);
  return { agent, quoted };
}

/** A key that another one made may be for some agents alone. */
function refuseOtherAgents({ state }: Context, agent: string): void {
  const { allowedAgents } = state.key;
  if (allowedAgents && !allowedAgents.includes(agent)) throw agentNotAllowed(agent, allowedAgents);
}

/** The version that an order names. Throws 403 `agent_not_allowed`, 404 `agent_not_found`, 409 `agent_suspended` or `model_unavailable`. */
export async function findAgent(
  ctx: Context,
  { db, agentModels }: Pick<Services, 'db' | 'agentModels'>,
  order: Pick<Order, 'agent' | 'version' | 'visibility' | 'session_id'>,
): Promise<ResolvedAgent> {
  const { agent, version, visibility } = order;
  const { workspaceId } = ctx.state.key;
  refuseOtherAgents(ctx, agent);
  const { resourceId } = ctx.state as { resourceId?: string };
  const sessionId = order.session_id ?? (resourceId === undefined ? null : newSessionIdOf(resourceId));
  const wanted = { agent, version: version ?? null, visibility, workspaceId, sessionId };
  const found = await resolveAgent(db.everywhere, wanted);
  if (!found) throw agentNotFound(agent, version);
  if (found.suspended) throw agentSuspended(agent);
  if (!agentModels.modelOf(found.configuration)) throw modelUnavailable(agent);
  return found;
}

function maxCostOf({ max_cost_usd }: Order, pricing: Pricing): bigint {
  const { minimum_cost_usd: minimumUsd, maximum_cost_usd: maximumUsd } = pricing;
  if (max_cost_usd === undefined) return nanosOfUsd(maximumUsd);
  if (max_cost_usd < minimumUsd || max_cost_usd > maximumUsd)
    throw invalidCost(`This agent costs from ${minimumUsd} to ${maximumUsd} US dollars a run.`);
  return nanosOfUsd(max_cost_usd);
}

function newRunOf(
  ctx: Context,
  { config }: Pick<RunServices, 'config'>,
  {
    order,
    ...chosen
  }: { order: Order } & Pick<
    NewRun,
    'agent' | 'pricing' | 'isRehearsed' | 'maxCostNanos' | 'rerun' | 'webhookUrl' | 'webhookEvents'
  >,
): NewRun {
  return {
    ...chosen,
    id: ctx.state.resourceId,
    key: ctx.state.key,
    visibility: order.visibility,
    sessionId: order.session_id ?? null,
    input: order.input,
    responseFormat: order.response_format ?? null,
    onLimit: order.on_limit,
    onDisconnect: order.on_disconnect ?? 'continue',
    ifSessionBusy: order.if_session_busy,
    timeoutSeconds: order.timeout_seconds,
    startAfterSeconds: order.start_after_seconds,
    source: order.source,
    metadata: withTestFault(ctx, order.metadata),
    openRunsMax: config.openRunsMax,
  };
}

async function place(ctx: Context, { db, runStarter }: RunServices, order: NewRun): Promise<RunRow> {
  try {
    const { run, interrupted } = await storeRun(db, order);
    for (const row of interrupted) runStarter.cancel(row);
    // A run that waits for its session is started at the end of the previous run.
    if (!run.waiting && run.workflow_started_at === null) runStarter.start(run);
    return run;
  } catch (error) {
    throw await refusalOf(ctx, db, order, error);
  }
}

async function refusalOf(ctx: Context, db: Services['db'], order: NewRun, error: unknown): Promise<unknown> {
  if (error instanceof StorageRefused) return storageError(error);
  if (!(error instanceof RunRefused)) return explainRefusal(ctx, db, error);
  const { reason, facts } = error;
  switch (reason) {
    case 'session_not_found':
      return sessionNotFound(order.sessionId!);
    case 'session_busy':
      return sessionBusy(order.sessionId!);
    case 'too_many_runs':
      return tooManyRuns(order.openRunsMax);
    case 'run_not_found':
      return runNotFound(order.rerun!.runId);
    case 'run_not_terminal':
      return runNotEnded(facts.status!);
    case 'content_deleted':
      return contentDeleted(facts.fileId);
    case 'step_not_reusable':
      return stepNotReusable(facts.fromStepMax!);
    case 'reused_steps_cost':
      return unbilledStepsCost(facts.costNanos!);
    case 'reused_steps_cheaper':
      return unbilledStepsCheaper();
    // Only of runs that agents start.
    case 'parent_over':
    case 'too_deep':
    case 'no_budget':
      return error;
    default:
      return reason satisfies never;
  }
}
