import type { z } from 'zod';
import { isHealthy, readUpstreamHealth, type UpstreamHealth } from '../../db/accounting/upstreamHealth.ts';
import { readLostAttempts, type LostAttempts } from '../../db/accounting/lostAttempts.ts';
import { readUpstreamCosts } from '../../db/liveCatalog/upstreamCosts.ts';
import { costNanosOf, usdOf } from '../../db/money.ts';
import type { ComposedCatalog } from '../../db/liveCatalog/composeCatalog.ts';
import { probeUpstream } from '../../providers/probeUpstream.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import type { CatalogUpstreamAnswer, CatalogUpstreamList, ProbeAnswer } from './catalogAnswers.ts';
import type { NewUpstreamBody, UpstreamChangeBody } from './catalogSchema.ts';
import { applyChange, nameIn } from './models.ts';
import { provenanceOf } from './provenance.ts';
import { entryNotFound } from './refusals.ts';

/** `GET /console/v1/catalog/upstreams`: every upstream, and how it served the last hour. */
export function listCatalogUpstreams(services: Services): Handler {
  return async (ctx) => {
    const read = await readHealth(services);
    const composed = services.catalog.composed();
    const data = [...composed.upstreams.keys()].map((name) => present(composed, name, read));
    const can_seal = services.catalog.base.keys !== null;
    ctx.body = { object: 'list', data, can_seal } satisfies z.infer<typeof CatalogUpstreamList>;
  };
}

/** `POST /console/v1/catalog/upstreams`: adds an upstream. */
export function createCatalogUpstream(services: Services): Handler<z.output<typeof NewUpstreamBody>> {
  return async (ctx) => {
    const { id, api_key: key, ...members } = ctx.state.input;
    await applyChange(ctx, services, { kind: 'upstream', name: id, members: membersOf(members), key, isNew: true });
    ctx.status = 201;
    ctx.body = await presentNow(services, id);
  };
}

/** `PATCH /console/v1/catalog/upstreams/{upstream}`: changes the sent members. Throws 404 `upstream_not_found`. */
export function changeCatalogUpstream(services: Services): Handler<z.output<typeof UpstreamChangeBody>> {
  return async (ctx) => {
    const name = nameIn(ctx);
    const { api_key: key, disabled, ...members } = ctx.state.input;
    const change = { kind: 'upstream' as const, name, members: membersOf(members), key, disabled, isNew: false };
    await applyChange(ctx, services, change);
    ctx.body = await presentNow(services, name);
  };
}

/** `POST /console/v1/catalog/upstreams/{upstream}/probe`: asks it for its models, with its key. */
export function probeCatalogUpstream(services: Services): Handler {
  return async (ctx) => {
    const name = nameIn(ctx);
    const { upstreams, models } = services.catalog.composed();
    const address = upstreams.get(name);
    if (!address) throw entryNotFound('upstream', name);
    const { status, latencyMs, models: listed, error } = await probeUpstream(address);
    const used = models.flatMap(({ model }) =>
      (model.places ?? model.upstreams).filter(({ upstream }) => upstream === name).map((place) => place.model),
    );
    const missing = listed ? [...new Set(used)].filter((one) => !listed.includes(one)) : [];
    ctx.body = {
      object: 'catalog.probe',
      upstream: name,
      ok: error === null,
      status,
      latency_ms: latencyMs,
      models: listed?.length ?? null,
      missing_models: missing,
      error,
    } satisfies z.infer<typeof ProbeAnswer>;
  };
}

type Sent = Omit<z.output<typeof UpstreamChangeBody>, 'api_key' | 'disabled'>;

/** The sent members as the file names them. */
function membersOf({ base_url, timeouts_ms, ...same }: Sent): Record<string, unknown> {
  const { first_byte: firstByte, ...others } = timeouts_ms ?? {};
  const timeoutsMs = timeouts_ms && { ...others, ...(firstByte !== undefined && { firstByte }) };
  const members = { ...same, baseUrl: base_url, timeoutsMs: timeouts_ms === null ? null : timeoutsMs };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

interface LastHour {
  health: Map<string, UpstreamHealth>;
  lost: Map<string, Lost>;
}

type Lost = z.infer<typeof CatalogUpstreamAnswer>['lost_last_hour'];

async function readHealth({ db }: Services): Promise<LastHour> {
  await db.ledger.posted();
  const [health, attempts, costs] = await Promise.all([
    readUpstreamHealth(db.everywhere),
    readLostAttempts(db.everywhere),
    readUpstreamCosts(db.everywhere),
  ]);
  const costOf = ({ model, upstream, inputTokens }: LostAttempts) => {
    const rates = costs.find((cost) => cost.model === model && cost.upstream === upstream)?.rates;
    return rates?.input_tokens === undefined ? null : usdOf(costNanosOf({ input_tokens: inputTokens }, rates));
  };
  const byUpstream = Map.groupBy(attempts, ({ upstream }) => upstream);
  const lost = [...byUpstream].map(([upstream, own]): [string, Lost] => [
    upstream,
    {
      attempts: own.reduce((sum, one) => sum + one.attempts, 0),
      cost_usd: own.map(costOf).reduce((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0),
    },
  ]);
  return { health: new Map(health.map((one) => [one.upstream, one])), lost: new Map(lost) };
}

async function presentNow(services: Services, name: string): Promise<z.infer<typeof CatalogUpstreamAnswer>> {
  return present(services.catalog.composed(), name, await readHealth(services));
}

function present(
  { upstreams, models }: ComposedCatalog,
  name: string,
  { health, lost }: LastHour,
): z.infer<typeof CatalogUpstreamAnswer> {
  const {
    state,
    protocol = 'openai',
    baseUrl,
    apiKey,
    batches = false,
    timeoutsMs = {},
    retention = 'kept',
    region,
  } = upstreams.get(name)!;
  const { requests = 0, errors = 0, firstByteP50Ms = null } = health.get(name) ?? {};
  const sealed = state.change?.sealedKey ? state.change.keyLast4 : undefined;
  const key =
    sealed === undefined
      ? apiKey
        ? { source: 'file' as const, last4: null }
        : null
      : { source: 'sealed' as const, last4: sealed };
  return {
    id: name,
    object: 'catalog.upstream',
    protocol,
    base_url: baseUrl || null,
    key,
    batches,
    retention,
    region: region ?? null,
    timeouts_ms: {
      connect: timeoutsMs.connect ?? null,
      first_byte: timeoutsMs.firstByte ?? null,
      idle: timeoutsMs.idle ?? null,
      answer: timeoutsMs.answer ?? null,
    },
    is_disabled: state.isDisabled,
    models: models
      .filter(({ model }) => (model.places ?? model.upstreams).some(({ upstream }) => upstream === name))
      .map(({ model }) => model.id),
    is_healthy: isHealthy({ calls: requests, failed: errors }),
    requests_last_hour: requests,
    errors_last_hour: errors,
    first_byte_p50_ms: firstByteP50Ms,
    lost_last_hour: lost.get(name) ?? { attempts: 0, cost_usd: 0 },
    ...provenanceOf(state),
  };
}
