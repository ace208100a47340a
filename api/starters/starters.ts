import type { z } from 'zod';
import { probeChat, type ChatProbe, type ChatProbeFailure } from '../../providers/probeChat.ts';
import { listedModel, vendors, vendorsPricedAt, type Vendor, type VendorModel } from '../../providers/vendors.ts';
import { addStarter, type Starter, type StarterRefusal } from '../../db/liveCatalog/addStarter.ts';
import type { EntryChange } from '../../db/liveCatalog/changeCatalog.ts';
import { readPresentPrices } from '../../db/liveCatalog/presentPrices.ts';
import { ratesIn } from '../../db/catalog/prices.ts';
import { conflict, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { describeModel } from '../catalog/models.ts';
import { changeRefused } from '../catalog/refusals.ts';
import { ratesOf, usdPerMillionOf } from '../catalog/units.ts';
import type { Handler } from '../context.ts';
import { personOf } from '../guard/person.ts';
import type { Services } from '../services.ts';
import { presentAgentModel } from './agentModel.ts';
import { describeEngine, offeredEngines } from './engines.ts';
import type { StarterAnswer, StarterList, StarterProbeAnswer } from './starterAnswers.ts';
import { starterPlaceOf, upstreamAt, type StarterPlace } from './starterPlace.ts';
import type { StarterBody, StarterProbeBody } from './starterSchema.ts';

/** `GET /console/v1/catalog/starters`: the models that can be had in one step, with what they cost and need. */
export function listStarters(services: Services): Handler {
  return async (ctx) => {
    const composed = services.catalog.composed();
    ctx.body = {
      object: 'catalog.starters',
      agents: presentAgentModel(services),
      can_seal: services.catalog.base.keys !== null,
      priced_at: vendorsPricedAt,
      vendors: vendors.map((vendor) => presentVendor(services, vendor)),
      engines: await Promise.all(offeredEngines(composed).map(describeEngine)),
    } satisfies z.infer<typeof StarterList>;
  };
}

/** `POST /console/v1/catalog/starters/probe`: asks the model one question, as an agent would. Nothing is kept. */
export function probeStarter(services: Services): Handler<z.output<typeof StarterProbeBody>> {
  return async (ctx) => {
    const place = starterPlaceOf(services.catalog.composed(), ctx.state.input);
    const { model } = ctx.state.input;
    const probed = await tryModel(services, place, model);
    ctx.body = presentProbe(probed, place, await presentPriceOf(services, model));
  };
}

/** `POST /console/v1/catalog/starters`: probes the model, and only then keeps the key, sells the model and gives it to agents. */
export function createStarter(services: Services): Handler<z.output<typeof StarterBody>> {
  const { db, catalog } = services;
  return async (ctx) => {
    const { input } = ctx.state;
    const place = starterPlaceOf(catalog.composed(), input);
    if (input.api_key !== undefined && catalog.base.keys === null)
      throw changeRefused({ reason: 'no_sealing_key' }, 'upstream', place.upstream);
    const present = await presentPriceOf(services, input.model);
    const starter = starterOf(services, { input, place, present });
    const probed = await tryModel(services, place, input.model);
    if ('message' in probed) throw validationErrorAt(['body', probed.param], probed.message);
    const refusal = await addStarter(db.everywhere, catalog.base, starter, await personOf(db, ctx));
    if (refusal) throw starterRefused(refusal, starter);
    await catalog.refresh();
    ctx.status = 201;
    ctx.body = {
      object: 'catalog.starter',
      upstream: place.upstream,
      model: await describeModel(services, ctx, input.model),
      agents: presentAgentModel(services),
      probe: presentProbe(probed, place, present),
    } satisfies z.infer<typeof StarterAnswer>;
  };
}

/** Probes a model. Some vendors repeat the key in what they say, and it may be another operator's. */
async function tryModel(
  { textProviders }: Services,
  { address }: StarterPlace,
  model: string,
): Promise<ChatProbe | ChatProbeFailure> {
  const probed = await probeChat(textProviders.probing(address), model);
  const shown = (text: string) => (address.apiKey ? text.replaceAll(address.apiKey, '…') : text);
  return 'message' in probed
    ? { ...probed, message: shown(probed.message) }
    : { ...probed, answer: shown(probed.answer) };
}

interface Sent {
  input: z.output<typeof StarterBody>;
  place: StarterPlace;
  /** What the model is sold at already. */
  present: Record<string, number> | undefined;
}

function starterOf(services: Services, sent: Sent): Starter {
  const { input, place, present } = sent;
  const { agentModels } = services;
  return {
    upstream: place.change,
    model: modelChangeOf(services, sent),
    modelId: input.model,
    upstreamName: place.upstream,
    rates: present ? undefined : ratesOf('text', priceOf(sent)),
    costs: place.listed && ratesOf('text', place.listed.usdPerMillion),
    isForAgents: input.use_for_agents ?? agentModels.standard.rehearsal === true,
  };
}

// What nearly every server of a model that the list does not have can do.
const UNKNOWN: Pick<VendorModel, 'contextTokens' | 'outputTokensMax'> = {
  contextTokens: 32_768,
  outputTokensMax: 4_096,
};

/** The new model; undefined where the catalogue has it at this upstream. Throws 409 where it has another one of that name. */
function modelChangeOf({ catalog }: Services, { input, place }: Sent): EntryChange | undefined {
  const { model: id, context_tokens, output_tokens_max } = input;
  const named = catalog.composed().models.find(({ model }) => model.id === id || model.aliases.includes(id))?.model;
  const isThere = (named?.places ?? named?.upstreams)?.some(
    (one) => one.upstream === place.upstream && one.model === id,
  );
  if (named && named.id === id && named.kind === 'text' && isThere) return undefined;
  if (named)
    throw conflict(
      'model_exists',
      `The catalogue has a model '${id}' at another upstream. Change it under Models instead.`,
    );
  const { contextTokens, outputTokensMax, inputMediaTypes } = place.listed ?? {
    ...UNKNOWN,
    inputMediaTypes: undefined,
  };
  const members = {
    kind: 'text',
    created: Math.floor(Date.now() / 1_000),
    contextTokens: context_tokens ?? contextTokens,
    outputTokensMax: output_tokens_max ?? outputTokensMax,
    ...(inputMediaTypes && { inputMediaTypes }),
    upstreams: [{ upstream: place.upstream, model: id }],
  };
  return { kind: 'model', name: id, members, isNew: true };
}

const PERCENT = 100;
const DECIMALS = 6;

/** The stated price, or the list price with the margin. Throws 422 where there is neither. */
function priceOf({ input, place }: Sent): Record<string, number> {
  const { usd_per_million: stated, margin_percentage: margin } = input;
  if (stated && margin !== undefined)
    throw validationErrorAt(['body', 'margin_percentage'], 'State a price or a margin, and not both.');
  if (stated) return stated;
  if (!place.listed)
    throw validationErrorAt(['body', 'usd_per_million'], 'Field required: the list of models does not have this one.');
  const factor = 1 + (margin ?? 0) / PERCENT;
  const entries = Object.entries(place.listed.usdPerMillion);
  return Object.fromEntries(entries.map(([unit, usd]) => [unit, Number((usd * factor).toFixed(DECIMALS))]));
}

async function presentPriceOf({ db, catalog }: Services, model: string): Promise<Record<string, number> | undefined> {
  const known = catalog.composed().models.find((one) => one.model.id === model);
  const present = (await readPresentPrices(db.everywhere, model)).get(model)?.present;
  if (present && !present.followsFile) return usdPerMillionOf(ratesIn(present.rates));
  return known?.state.isInFile ? usdPerMillionOf(known.model.rates) : undefined;
}

function starterRefused(refusal: StarterRefusal, { upstreamName, modelId }: Starter) {
  if (refusal.entry === 'price')
    return conflict(
      'price_exists',
      `'${modelId}' has had a price. Two operators decide on the next one, under Prices.`,
    );
  return changeRefused(refusal.refusal, refusal.entry, refusal.entry === 'model' ? modelId : upstreamName);
}

function presentVendor({ catalog }: Services, vendor: Vendor): z.infer<typeof StarterList>['vendors'][number] {
  const { id, name, baseUrl: base_url, keysAt: keys_at, note = null, models } = vendor;
  return {
    id,
    name,
    base_url,
    keys_at,
    note,
    has_key: Boolean(upstreamAt(catalog.composed(), base_url)?.address.apiKey),
    models: models.map(({ model }) => {
      const listed = listedModel(vendor, model)!;
      return {
        model,
        usd_per_million: listed.usdPerMillion,
        context_tokens: listed.contextTokens,
        output_tokens_max: listed.outputTokensMax,
        note: listed.note ?? null,
        is_sold: catalog.find(model) !== undefined,
      };
    }),
  };
}

function presentProbe(
  probed: ChatProbe | ChatProbeFailure,
  { listed }: StarterPlace,
  present: Record<string, number> | undefined,
): z.infer<typeof StarterProbeAnswer> {
  const isFailed = 'message' in probed;
  return {
    object: 'catalog.starter_probe',
    ok: !isFailed,
    param: isFailed ? probed.param : null,
    error: isFailed ? probed.message : null,
    answer: isFailed ? null : probed.answer,
    calls_tools: isFailed ? null : probed.callsTools,
    duration_ms: isFailed ? null : probed.durationMs,
    input_tokens: isFailed ? null : probed.inputTokens,
    output_tokens: isFailed ? null : probed.outputTokens,
    list_price: listed?.usdPerMillion ?? null,
    present_price: present ?? null,
  };
}
