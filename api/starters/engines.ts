import type { z } from 'zod';
import { ENGINES, askForEngine, type EngineFacts, type EngineReport } from '../../providers/fetchedEngines.ts';
import type { UpstreamAddress } from '../../providers/upstreamOptions.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { chooseAgentModel, takeBackChoice } from '../../db/liveCatalog/agentModelChoice.ts';
import type { ComposedCatalog } from '../../db/liveCatalog/composeCatalog.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { conflict, notFound } from '../../base/errors/requestErrors.ts';
import { usdPerMillionOf } from '../catalog/units.ts';
import type { Handler } from '../context.ts';
import { personOf } from '../guard/person.ts';
import type { Services } from '../services.ts';
import type { EngineAnswer } from './starterAnswers.ts';
import type { EngineFetchBody } from './starterSchema.ts';

/** An engine that the catalogue has a model for, and the address of the process that runs it. */
export interface OfferedEngine {
  facts: EngineFacts;
  model: Model;
  address: UpstreamAddress;
}

/** The engines that this installation can fetch. */
export function offeredEngines({ models, upstreams }: ComposedCatalog): OfferedEngine[] {
  return ENGINES.flatMap((facts) => {
    const listed = models.find(({ model, state }) => !state.isDisabled && placeOf(model, facts) !== undefined);
    const address = listed && upstreams.get(placeOf(listed.model, facts)!.upstream);
    return listed && address ? [{ facts, model: listed.model, address }] : [];
  });
}

const placeOf = ({ upstreams }: Model, { name }: EngineFacts) => upstreams.find(({ model }) => model === name);

/** `GET /console/v1/catalog/engines/{engine}/fetch`: how far it is. Throws 404 `engine_not_found`, like all routes of an engine. */
export function retrieveFetch(services: Services): Handler {
  return async (ctx) => {
    const offered = engineOf(services, ctx.state.params.engine!);
    ctx.body = await describeEngine(offered);
  };
}

/**
 * `POST …/fetch`: begins the fetch, or loads what is there. With `use_for_agents` agents use it from the moment in which it can answer, also
 * if that comes after a restart.
 */
export function startFetch(services: Services): Handler<z.output<typeof EngineFetchBody>> {
  const { db, catalog, agentModels } = services;
  return async (ctx) => {
    const offered = engineOf(services, ctx.state.params.engine!);
    const { facts, model, address } = offered;
    const before = await askForEngine(address, facts.name, 'describe');
    if (!before) throw notRunning(address);
    refuseFullDisk(before, facts);
    const { use_for_agents: isForAgents = agentModels.standard.rehearsal === true } = ctx.state.input;
    if (isForAgents) {
      const state = before.state === 'ready' ? 'chosen' : 'awaited';
      await chooseAgentModel(db.everywhere, { model: model.id, state }, await personOf(db, ctx));
      await catalog.refresh();
    }
    const after = await askForEngine(address, facts.name, 'fetch');
    ctx.status = 202;
    ctx.body = present(offered, after);
  };
}

/** `DELETE …/fetch`: ends the fetch and removes its partial files; agents wait for it no more. A model that is there stays. */
export function cancelFetch(services: Services): Handler {
  const { db, catalog } = services;
  return async (ctx) => {
    const offered = engineOf(services, ctx.state.params.engine!);
    await takeBackChoice(db.everywhere, 'awaited', await personOf(db, ctx));
    await catalog.refresh();
    ctx.body = present(offered, await askForEngine(offered.address, offered.facts.name, 'cancel'));
  };
}

export async function describeEngine(offered: OfferedEngine): Promise<z.infer<typeof EngineAnswer>> {
  return present(offered, await askForEngine(offered.address, offered.facts.name, 'describe'));
}

function engineOf({ catalog }: Services, name: string): OfferedEngine {
  const offered = offeredEngines(catalog.composed()).find(({ facts }) => facts.name === name);
  if (!offered) throw notFound(`No engine '${name}' can be fetched here.`, 'engine_not_found');
  return offered;
}

const notRunning = ({ setup }: UpstreamAddress): ApiError =>
  new ApiError({
    status: 503,
    code: 'model_unavailable',
    message: setup ?? 'The process that fetches and runs the model does not answer.',
    headers: { 'retry-after': '5' },
  });

function refuseFullDisk({ state, machine }: EngineReport, { title, diskBytesWhileFetched: needed }: EngineFacts): void {
  const isAbsent = state === 'absent' || state === 'failed';
  if (!isAbsent || machine.disk_available_bytes >= needed) return;
  const [free, wanted] = [machine.disk_available_bytes, needed].map((bytes) => (bytes / 1e9).toFixed(1));
  throw conflict('disk_full', `${title} needs ${wanted} GB of the disk while it is fetched, and ${free} GB are free.`);
}

const PERCENT = 100;

function present(
  { facts, model, address }: OfferedEngine,
  report: EngineReport | undefined,
): z.infer<typeof EngineAnswer> {
  const { tokensPerSecond: tokens_per_second, secondsPerTask: seconds_per_task, on } = facts.measured;
  const { bytes = 0, whole_bytes = facts.diskBytes } = report ?? {};
  return {
    object: 'catalog.engine',
    name: facts.name,
    model: model.id,
    title: facts.title,
    licence: facts.licence,
    state: report?.state ?? 'unreachable',
    message: report ? report.message : (address.setup ?? null),
    bytes,
    whole_bytes,
    percentage: Math.min(PERCENT, Math.floor((bytes / whole_bytes) * PERCENT)),
    disk_bytes: facts.diskBytes,
    disk_bytes_while_fetched: facts.diskBytesWhileFetched,
    memory_bytes: facts.memoryBytes,
    measured: { tokens_per_second, seconds_per_task, on },
    machine: report?.machine ?? null,
    usd_per_million: usdPerMillionOf(model.rates),
  };
}
