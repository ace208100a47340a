import type { z } from 'zod';
import type { CatalogSnapshot, Model } from '../../db/catalog/catalog.ts';
import type { Handler } from '../context.ts';
import { modelNotFound } from '../../calls/errors/modelErrors.ts';
import type { Services } from '../services.ts';
import { presetVoices } from '../../providers/voices.ts';
import { findAgentModel, listAgentModels } from './agentModels.ts';
import { presentModel, type ModelAnswer, type ModelListAnswer } from './presentModel.ts';

/** `GET /models`: all models of the service, and the agents that the key may run, one page. */
export function listModels(services: Services): Handler {
  const shownIn = new WeakMap<CatalogSnapshot, z.infer<typeof ModelAnswer>[]>();
  return async (ctx) => {
    const agents = await listAgentModels(services, ctx.state.key);
    const snapshot = services.catalog.at(ctx.state.startedAtMs);
    const { models } = snapshot;
    const shown = shownIn.get(snapshot) ?? models.map(presentModel);
    shownIn.set(snapshot, shown);
    const data = shown.map((answer, at) => ({ ...answer, ...engineOf(models[at]!, services) }));
    ctx.body = { object: 'list', data: [...data, ...agents] } satisfies z.infer<typeof ModelListAnswer>;
  };
}

/** `GET /models/{id}`: one model, by id or alias, or an agent by its name. A slash need not be encoded. */
export function retrieveModel(services: Services): Handler {
  const { catalog } = services;
  return async (ctx) => {
    const { id, namespace, slug } = ctx.state.params;
    const name = id ?? `${namespace}/${slug}`;
    const model = catalog.find(name);
    const answer = model ? { ...presentModel(model), ...engineOf(model, services) } : undefined;
    const found = answer ?? (await findAgentModel(services, ctx.state.key, name));
    if (!found) throw modelNotFound(name, catalog.nearest(name));
    ctx.body = found;
  };
}

/** The engine of a model of sound whose first upstream is the embedded one. */
function engineOf(model: Model, { catalog, config, engines, voiceProviders }: Services): EngineNow {
  const { kind, upstreams } = model;
  const [first] = upstreams;
  const isEmbedded = first && catalog.upstreams.get(first.upstream)?.protocol === 'embedded';
  if (!isEmbedded || !engines) return {};
  if (kind === 'speech') return speechEngineOf(model, voiceProviders);
  if (kind !== 'transcription' && kind !== 'conversion') return {};
  return { engine: engines.engineOf(kind, config.embeddedVoice), engine_ready: true };
}

type EngineNow = Pick<z.infer<typeof ModelAnswer>, 'engine' | 'engine_ready'>;

/** A neural engine where it speaks any of the presets. Cloned voices are derived from those of the basic one. */
function speechEngineOf(model: Model, providers: Services['voiceProviders']): EngineNow {
  const engines =
    model.voices === 'cloned' ? [] : presetVoices.map((preset) => providers.embeddedEngineOf(model, preset)!);
  const { engine, isReady } = engines.find(({ engine: name }) => name !== 'flite') ?? {
    engine: 'flite',
    isReady: true,
  };
  return { engine, engine_ready: isReady };
}
