import type { z } from 'zod';
import { readUpstreamHealth, isHealthy, type UpstreamHealth } from '../../db/accounting/upstreamHealth.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { removeChange, updateEntry, type EntryChange } from '../../db/liveCatalog/changeCatalog.ts';
import type { ComposedCatalog, EntryState } from '../../db/liveCatalog/composeCatalog.ts';
import { ratesIn } from '../../db/catalog/prices.ts';
import { readPresentPrices, type PresentPrices } from '../../db/liveCatalog/presentPrices.ts';
import { readPriceHistory } from '../../db/liveCatalog/priceHistory.ts';
import { insertUpstreamCost, readUpstreamCosts, type UpstreamCostNow } from '../../db/liveCatalog/upstreamCosts.ts';
import type { Person } from '../../db/workspaces/secondPerson.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import type { Context, Handler } from '../context.ts';
import { personOf } from '../guard/person.ts';
import type { Services } from '../services.ts';
import type { CatalogModelAnswer, CatalogModelList, PriceHistory, RemovedChange } from './catalogAnswers.ts';
import type { CostBody, ModelChangeBody, NewModelBody } from './catalogSchema.ts';
import { changeRefused, entryNotFound } from './refusals.ts';
import { presentPrice } from './presentPrice.ts';
import { provenanceOf } from './provenance.ts';
import { marginPercentageOf, ratesOf, unitsOf, usdPerMillionOf } from './units.ts';

const HISTORY_MAX = 1_000;

type Listed = ComposedCatalog['models'][number];

/** `GET /console/v1/catalog/models`: every model, also those that are not sold. */
export function listCatalogModels(services: Services): Handler {
  return async (ctx) => {
    const read = await readAbout(services, await personOf(services.db, ctx));
    const data = services.catalog.composed().models.map((listed) => presentListed(services, listed, read));
    ctx.body = { object: 'list', data } satisfies z.infer<typeof CatalogModelList>;
  };
}

/** `GET /console/v1/catalog/models/{catalog_model}`. Throws 404 `model_not_found`, like all routes of a model. */
export function retrieveCatalogModel(services: Services): Handler {
  return (ctx) => answerModel(ctx, services, nameIn(ctx));
}

/** `GET /console/v1/catalog/models/{catalog_model}/prices`: every price that holds, held or will hold; the newest first. */
export function listCatalogPrices(services: Services): Handler {
  return async (ctx) => {
    const { model } = listedOf(services, nameIn(ctx));
    const person = await personOf(services.db, ctx);
    const rows = await readPriceHistory(services.db.everywhere, model.id, HISTORY_MAX);
    const data = rows.map((row) => presentPrice(row, person));
    ctx.body = { object: 'list', data } satisfies z.infer<typeof PriceHistory>;
  };
}

/** `POST /console/v1/catalog/models`: adds a model. It is sold from its first price on. */
export function createCatalogModel(services: Services): Handler<z.output<typeof NewModelBody>> {
  return async (ctx) => {
    const { id, kind, voices, ...members } = ctx.state.input;
    const created = Math.floor(Date.now() / 1_000);
    const added = { ...membersOf(members), kind, created, ...(voices && { voices }) };
    await applyChange(ctx, services, { kind: 'model', name: id, members: added, isNew: true });
    ctx.status = 201;
    await answerModel(ctx, services, id);
  };
}

/** `PATCH /console/v1/catalog/models/{catalog_model}`: changes the sent members. */
export function changeCatalogModel(services: Services): Handler<z.output<typeof ModelChangeBody>> {
  return async (ctx) => {
    const { disabled, ...members } = ctx.state.input;
    const name = nameIn(ctx);
    await applyChange(ctx, services, { kind: 'model', name, members: membersOf(members), disabled, isNew: false });
    await answerModel(ctx, services, name);
  };
}

/** `POST …/return`: the file's entry again; an added entry is removed. */
export function returnEntry(services: Services, kind: EntryChange['kind']): Handler {
  return async (ctx) => {
    const name = nameIn(ctx);
    const by = await personOf(services.db, ctx);
    const refusal = await removeChange(services.db.everywhere, services.catalog.base, { kind, name }, by);
    if (refusal) throw changeRefused(refusal, kind, name);
    await services.catalog.refresh();
    const { models, upstreams } = services.catalog.composed();
    const isLeft = kind === 'model' ? models.some(({ model }) => model.id === name) : upstreams.has(name);
    ctx.body = { id: name, object: `catalog.${kind}`, deleted: !isLeft } satisfies z.infer<typeof RemovedChange>;
  };
}

/** `PUT /console/v1/catalog/models/{catalog_model}/costs`: states what an upstream charges for it. */
export function stateCost(services: Services): Handler<z.output<typeof CostBody>> {
  return async (ctx) => {
    const { upstream, usd_per_million: usd } = ctx.state.input;
    const { model } = listedOf(services, nameIn(ctx));
    if (!(model.places ?? model.upstreams).some((place) => place.upstream === upstream)) {
      const msg = 'The model has no such upstream.';
      throw validationErrorAt(['body', 'upstream'], msg);
    }
    const cost = { model: model.id, upstream, rates: ratesOf(model.kind, usd) };
    await insertUpstreamCost(services.db.everywhere, cost, await personOf(services.db, ctx));
    await answerModel(ctx, services, model.id);
  };
}

export const nameIn = (ctx: Context): string => ctx.state.params.catalog_model ?? ctx.state.params.upstream!;

/** The model by its own name. */
export function listedOf({ catalog }: Services, name: string): Listed {
  const listed = catalog.composed().models.find(({ model }) => model.id === name);
  if (!listed) throw entryNotFound('model', name);
  return listed;
}

/** Makes a change, which applies in this process when it resolves. */
export async function applyChange(ctx: Context, services: Services, change: EntryChange): Promise<void> {
  const { db, catalog } = services;
  const refusal = await updateEntry(db.everywhere, catalog.base, change, await personOf(db, ctx));
  if (refusal) throw changeRefused(refusal, change.kind, change.name);
  await catalog.refresh();
}

type SentMembers = Omit<z.output<typeof ModelChangeBody>, 'disabled'>;

/** The sent members as the file names them. */
function membersOf(sent: SentMembers): Record<string, unknown> {
  const { context_tokens, output_tokens_max, input_media_types, supported_parameters, upstreams, routing, ...same } =
    sent;
  const members = {
    ...same,
    contextTokens: context_tokens,
    outputTokensMax: output_tokens_max,
    inputMediaTypes: input_media_types,
    supportedParameters: supported_parameters,
    upstreams: upstreams && upstreams.map(placeOf),
    routing: routing && routingOf(routing),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

type SentPlace = NonNullable<SentMembers['upstreams']>[number];

const placeOf = ({ weight, without, answers_as: answersAs, ...place }: SentPlace) => ({
  ...place,
  ...(typeof weight === 'number' && { weight }),
  ...(without && without.length > 0 && { without }),
  ...(answersAs && answersAs.length > 0 && { answersAs }),
});

const routingOf = ({ budget_ms: budgetMs, late_factor: lateFactor, ...same }: NonNullable<SentMembers['routing']>) => ({
  ...same,
  ...(budgetMs !== undefined && { budgetMs }),
  ...(lateFactor !== undefined && { lateFactor }),
});

interface About {
  person: Person;
  prices: Map<string, PresentPrices>;
  costs: Map<string, UpstreamCostNow>;
  health: Map<string, UpstreamHealth>;
}

async function readAbout({ db }: Services, person: Person, model?: string): Promise<About> {
  await db.ledger.posted();
  const [prices, costs, health] = await Promise.all([
    readPresentPrices(db.everywhere, model),
    readUpstreamCosts(db.everywhere, model),
    readUpstreamHealth(db.everywhere),
  ]);
  return {
    person,
    prices,
    costs: new Map(costs.map((cost) => [keyOf(cost.model, cost.upstream), cost])),
    health: new Map(health.map((one) => [one.upstream, one])),
  };
}

const keyOf = (model: string, upstream: string): string => JSON.stringify([model, upstream]);

async function answerModel(ctx: Context, services: Services, name: string): Promise<void> {
  ctx.body = await describeModel(services, ctx, name);
}

/** A model as operators see it. */
export async function describeModel(
  services: Services,
  ctx: Context,
  name: string,
): Promise<z.infer<typeof CatalogModelAnswer>> {
  const about = await readAbout(services, await personOf(services.db, ctx), name);
  return presentListed(services, listedOf(services, name), about);
}

function presentListed(
  { catalog, routing }: Services,
  { model, state }: Listed,
  about: About,
): z.infer<typeof CatalogModelAnswer> {
  const { present, next, pending } = about.prices.get(model.id) ?? { present: undefined, next: undefined, pending: 0 };
  const isPriced = state.isInFile || (present !== undefined && !present.followsFile);
  return {
    id: model.id,
    object: 'catalog.model',
    kind: model.kind,
    name: model.name ?? null,
    description: model.description ?? null,
    aliases: model.aliases,
    context_tokens: model.contextTokens,
    output_tokens_max: model.outputTokensMax,
    input_media_types: model.inputMediaTypes ?? [],
    supported_parameters: model.supportedParameters ?? null,
    state: stateOf(state, isPriced),
    ...provenanceOf(state),
    units: unitsOf(model.kind),
    upstreams: (model.places ?? model.upstreams).map((place) =>
      presentPlace(place, model, about, { catalog, states: routing.states() }),
    ),
    routing: presentRouting(model),
    pipeline: model.pipeline ?? null,
    price: present ? presentPrice(present, about.person) : null,
    next_price: next ? presentPrice(next, about.person) : null,
    pending_prices: pending,
  };
}

const stateOf = ({ isDisabled }: EntryState, isPriced: boolean) =>
  isDisabled ? ('disabled' as const) : isPriced ? ('sold' as const) : ('unpriced' as const);

type Place = Model['upstreams'][number];

function presentRouting({ routing = {} }: Model) {
  const { by = 'order', retention, regions, attempts, budgetMs, lateFactor } = routing;
  return {
    by,
    retention: retention ?? null,
    regions: regions ?? null,
    attempts: attempts ?? null,
    budget_ms: budgetMs ?? null,
    late_factor: lateFactor ?? null,
  };
}

/** Its circuit in this process, where it was called beside others. */
function presentCircuit({ upstream, model }: Place, states: ReturnType<Services['routing']['states']>) {
  const found = states.find((one) => one.upstream === upstream && one.model === model);
  if (!found) return null;
  const { state, reason = null, calls, failures, p95Ms } = found;
  return { state, reason, calls, failures, first_byte_p95_ms: p95Ms === undefined ? null : Math.round(p95Ms) };
}

function presentPlace(
  place: Place,
  model: Model,
  about: About,
  { catalog, states }: { catalog: Services['catalog']; states: ReturnType<Services['routing']['states']> },
) {
  const { upstream, model: named, weight, without, answersAs } = place;
  const { requests = 0, errors = 0 } = about.health.get(upstream) ?? {};
  const cost = about.costs.get(keyOf(model.id, upstream));
  const present = about.prices.get(model.id)?.present;
  return {
    upstream,
    model: named,
    weight: weight ?? null,
    without: without ? [...without] : null,
    answers_as: answersAs ? [...answersAs] : null,
    circuit: presentCircuit(place, states),
    is_disabled: catalog.composed().upstreams.get(upstream)!.state.isDisabled,
    is_healthy: isHealthy({ calls: requests, failed: errors }),
    requests_last_hour: requests,
    cost: cost
      ? {
          usd_per_million: usdPerMillionOf(cost.rates),
          stated_by: cost.stater,
          valid_from: cost.validFrom.toISOString(),
        }
      : null,
    margin_percentage: cost && present ? marginPercentageOf(ratesIn(present.rates), cost.rates) : null,
  };
}
