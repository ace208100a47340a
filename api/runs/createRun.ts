import { MIB, sizeText } from '../../base/limits.ts';
import type { z } from 'zod';
import { agentInputOf } from '../../db/agents/configuration.ts';
import { pricingOf, type Pricing } from '../../db/agents/pricing.ts';
import { resolveAgent, type ResolvedAgent } from '../../db/agents/publicAgents.ts';
import type { StorageRefused } from '../../db/files/upload.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { createRun as storeRun, type NewRun, type RunRefused, findInputFiles } from '../../db/runs/createRun.ts';
import type { RunRow, InputItem } from '../../db/runs/runRow.ts';
import type { Context, Handler } from '../context.ts';
import { storageError } from '../errors/serviceErrors.ts';
import { explainRefusal } from '../guard/balance.ts';
import type { Services } from '../services.ts';
import { answerRun } from './answerRun.ts';
import {
  tooManyRuns,
  agentNotFound,
  agentSuspended,
  invalidCost,
  sessionBusy,
  sessionNotFound,
  fileNotFound,
  unsupportedInput,
} from './errors.ts';
import type { RunOrder } from './runSchema.ts';

type Order = z.output<typeof RunOrder>;

/**
 * `POST /v1/runs`: starts a run. 202 with the run as it was created, 200 when it ended while the caller waited (`Prefer: wait=n`), or its
 * events (`stream`). The run is on disk before anything of it is answered; its workflow is started as soon as Temporal can be reached.
 */
export function createRun(services: Services): Handler {
  return async (ctx) => {
    const order = ctx.state.input as Order;
    const run = await placeRun(ctx, services, order);
    await answerRun(ctx, services, run, order);
  };
}

/**
 * Creates what the caller orders, under the id in `ctx.state.resourceId`, and has its workflow started. A run of that id which is there
 * already is returned as it is. Throws what keeps it from being run.
 */
export async function placeRun(ctx: Context, services: Services, order: Order): Promise<RunRow> {
  const agent = await findAgent(ctx, services, order);
  const { config, platformCosts } = services;
  const pricing = pricingOf(agent, { platformCosts, networkFeePercentage: config.networkFeePercentage });
  const maxCostNanos = maxCostOf(order, pricing);
  await checkInput(services, { workspaceId: ctx.state.key.workspaceId, input: order.input, agent });
  return place(ctx, services, newRunOf(ctx, services, { order, agent, pricing, maxCostNanos }));
}

async function findAgent(ctx: Context, { db }: Services, order: Order): Promise<ResolvedAgent> {
  const { agent, version, visibility } = order;
  const { workspaceId } = ctx.state.key;
  const found = await resolveAgent(db.everywhere, { agent, version: version ?? null, visibility, workspaceId });
  if (!found) throw agentNotFound(agent, version);
  if (found.suspended) throw agentSuspended(agent);
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
  { config }: Services,
  { order, ...chosen }: { order: Order; agent: ResolvedAgent; pricing: Pricing; maxCostNanos: bigint },
): NewRun {
  return {
    ...chosen,
    id: ctx.state.resourceId,
    key: ctx.state.key,
    visibility: order.visibility,
    sessionId: order.session_id ?? null,
    input: order.input,
    onLimit: order.on_limit,
    onDisconnect: order.on_disconnect ?? 'continue',
    ifSessionBusy: order.if_session_busy,
    timeoutSeconds: order.timeout_seconds,
    startAfterSeconds: order.start_after_seconds,
    source: order.source,
    metadata: order.metadata,
    webhookUrl: null,
    webhookEvents: null,
    openRunsMax: config.openRunsMax,
  };
}

async function place(ctx: Context, { db, runStarter }: Services, order: NewRun): Promise<RunRow> {
  try {
    const { run, interrupted } = await storeRun(db, order);
    for (const row of interrupted) runStarter.cancel(row);
    // One that waits for its session is started by the end of the run before it.
    if (!run.waiting && run.workflow_started_at === null) runStarter.start(run);
    return run;
  } catch (error) {
    throw await refusalOf(ctx, db, order, error);
  }
}

async function refusalOf(ctx: Context, db: Services['db'], order: NewRun, error: unknown): Promise<unknown> {
  const { name } = error as Error;
  if (name === 'StorageRefused') return storageError(error as StorageRefused);
  if (name !== 'RunRefused') return explainRefusal(ctx, db, error);
  const { reason } = error as RunRefused;
  switch (reason) {
    case 'session_not_found':
      return sessionNotFound(order.sessionId!);
    case 'session_busy':
      return sessionBusy(order.sessionId!);
    case 'too_many_runs':
      return tooManyRuns(order.openRunsMax);
    default:
      return reason satisfies never;
  }
}

// Each call of the model carries them again, a third larger as base64.
export const MEDIA_BYTES_MAX = 20 * MIB;

/**
 * Checks the files of a run's input: that the workspace has them, that the agent takes their types, and that those which go to the model
 * itself are together no larger than a call can carry. Throws 404 `file_not_found` or 422 `unsupported_input`.
 */
async function checkInput(
  { db, agentModel }: Pick<Services, 'db' | 'agentModel'>,
  { workspaceId, input, agent }: { workspaceId: string; input: string | InputItem[]; agent: ResolvedAgent },
): Promise<void> {
  const items = typeof input === 'string' ? [] : input;
  const given = items.flatMap((item, at) => (item.type === 'input_file' ? [{ at, fileId: item.file_id }] : []));
  if (given.length === 0) return;
  const accepted = agentInputOf(agent.configuration, agentModel);
  if (!accepted.files) throw unsupportedInput(['input', given[0]!.at], 'This agent takes no files.');
  const ids = given.map(({ fileId }) => fileId);
  const files = await findInputFiles(db.read(workspaceId), ids);
  let mediaBytes = 0;
  for (const { at, fileId } of given) {
    const file = files.get(fileId);
    if (!file) throw fileNotFound(['input', at, 'file_id'], fileId);
    if (!accepted.accepted_media_types.includes(file.mediaType))
      throw unsupportedInput(['input', at, 'file_id'], `This agent does not take files of the type ${file.mediaType}.`);
    if (agentModel.inputMediaTypes?.includes(file.mediaType)) mediaBytes += file.sizeBytes;
    if (mediaBytes > MEDIA_BYTES_MAX) throw unsupportedInput(['input', at, 'file_id'], TOO_MUCH_MEDIA);
  }
}

const TOO_MUCH_MEDIA = `The images and sounds of one run may have ${sizeText(MEDIA_BYTES_MAX)} together.`;
