import type { Model } from '../../../db/catalog/catalog.ts';
import { costNanosOf, timesRates, type Quantities } from '../../../db/money.ts';
import { priceIdOf } from '../../../db/catalog/prices.ts';
import { PRODUCT_OF_KIND, type CallProduct } from '../../../db/catalog/products.ts';
import { idAt, type Chance } from './chance.ts';

/** A use of the platform by one key: which calls it makes, and when. */
export interface Application {
  keyId: string;
  /** Its share of all calls. */
  share: number;
  /** Models with their weights. */
  models: Record<string, number>;
  /** Whether people cause its calls, so that nights and weekends are quiet; or the hour (UTC) at which it works. */
  rhythm: 'people' | 'machines' | number;
  streams?: boolean;
  product?: CallProduct;
  /** Typical tokens of a prompt and an answer. */
  tokens?: [input: number, output: number];
}

/** A row of `requests`, as JSON. */
export interface PastCall {
  id: string;
  key_id: string;
  settled_at: string;
  cost_nanos: string;
  status: number;
  [column: string]: unknown;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
// Of a working day in UTC, from midnight; the team is in Europe and on the east coast.
const HOURS = [2, 1, 1, 1, 1, 3, 8, 22, 40, 52, 55, 50, 44, 54, 58, 60, 54, 44, 34, 28, 20, 12, 7, 4];
const WEEKDAYS = [0.32, 1, 1.08, 1.1, 1.05, 0.94, 0.36];

const ROUTES: Record<Model['kind'], string> = {
  text: '/v1/chat/completions',
  embedding: '/v1/embeddings',
  speech: '/v1/audio/speech',
  transcription: '/v1/audio/transcriptions',
  conversion: '/voiceapi/v1/speech-to-speech/{voice_id}',
  realtime: '/v1/realtime',
};

interface Plan {
  calls: number;
  days: number;
  /** The time after the last call. */
  untilMs: number;
  workspaceId: string;
  applications: Application[];
  models: Model[];
  chance: Chance;
}

/** Calls of the past days: more by day than by night, fewer at weekends, and growing. Every cost is the price of its usage. */
export function pastCallsOf({ calls, days, untilMs, workspaceId, applications, models, chance }: Plan): PastCall[] {
  const sinceMs = untilMs - days * DAY_MS;
  const list: PastCall[] = [];
  for (const application of applications) {
    const hours = hoursOf(application, sinceMs, days, chance);
    const weights = Object.entries(application.models);
    const count = Math.round(calls * application.share);
    for (let at = 0; at < count; at += 1) {
      const startedMs = chance.weighted(hours) + Math.floor(chance.next() * HOUR_MS);
      if (startedMs >= untilMs - 120_000) continue;
      const modelId = chance.weighted(weights);
      const model = models.find(({ id }) => id === modelId)!;
      list.push({ ...callOf({ application, model, startedMs, chance }), workspace_id: workspaceId });
    }
  }
  return list.toSorted((one, other) => (one.settled_at < other.settled_at ? -1 : 1));
}

/** Every hour of the days with its weight. */
function hoursOf({ rhythm }: Application, sinceMs: number, days: number, chance: Chance): [number, number][] {
  return Array.from({ length: days * 24 }, (_, at) => {
    const startMs = Math.floor(sinceMs / HOUR_MS) * HOUR_MS + at * HOUR_MS;
    const date = new Date(startMs);
    const growth = 0.6 + (0.9 * at) / (days * 24);
    const noise = 0.75 + 0.5 * chance.next();
    const weekday = WEEKDAYS[date.getUTCDay()]!;
    if (rhythm === 'people') return [startMs, growth * noise * weekday * HOURS[date.getUTCHours()]!];
    if (rhythm === 'machines') return [startMs, growth * noise * (0.5 + weekday / 2)];
    return [startMs, date.getUTCHours() === rhythm ? growth * noise : 0];
  });
}

interface Making {
  application: Application;
  model: Model;
  startedMs: number;
  chance: Chance;
}

function callOf(making: Making): PastCall {
  const { application, model, startedMs, chance } = making;
  const { usage, durationMs, firstByteMs } = measuresOf(making);
  const isBatch = application.product === 'batch';
  const rates = isBatch ? timesRates(model.rates, 0.5) : model.rates;
  const fate = fateOf(making);
  const isBilled = fate.status === 200 || fate.cancelled;
  const billed = isBilled ? usage : Object.fromEntries(Object.keys(usage).map((unit) => [unit, 0]));
  const settledMs = startedMs + (fate.durationMs ?? durationMs);
  const costNanos = costNanosOf(billed, rates);
  return {
    id: idAt('req', startedMs, chance),
    key_id: application.keyId,
    route: ROUTES[model.kind],
    model: model.id,
    status: fate.status,
    cancelled: fate.cancelled,
    usage: billed,
    cost_nanos: String(costNanos),
    written_off_nanos: 0,
    hold_nanos: String(costNanos * 2n + 50_000n),
    started_at: new Date(startedMs).toISOString(),
    first_byte_ms: isBilled ? firstByteMs : null,
    duration_ms: fate.durationMs ?? durationMs,
    stream_bytes: application.streams && isBilled ? (usage.output_tokens ?? 0) * 180 : 0,
    upstream: model.upstreams[0]?.upstream ?? 'main',
    attempts: fate.status >= 500 ? 3 : chance.next() < 0.02 ? 2 : 1,
    finish_reason:
      isBilled && model.kind === 'text' && !fate.cancelled ? (chance.next() < 0.04 ? 'length' : 'stop') : null,
    cached_tokens: isBilled ? (usage.cached_input_tokens ?? 0) : null,
    reasoning_tokens: isBilled ? 0 : null,
    price_id: priceIdOf(model.id, rates),
    product: application.product ?? PRODUCT_OF_KIND[model.kind],
    settled_at: new Date(settledMs).toISOString(),
  };
}

/** How it ends: nearly always well. */
function fateOf({ model, chance, application }: Making): { status: number; cancelled: boolean; durationMs?: number } {
  const luck = chance.next();
  if (luck < 0.009) return { status: 502, cancelled: false };
  if (luck < 0.013) return { status: 504, cancelled: false, durationMs: 30_000 };
  if (luck < 0.0145) return { status: 503, cancelled: false, durationMs: 12 };
  if (luck < 0.032 && application.streams && model.kind === 'text') return { status: 499, cancelled: true };
  return { status: 200, cancelled: false };
}

interface Measures {
  usage: Quantities;
  durationMs: number;
  firstByteMs: number;
}

function measuresOf(making: Making): Measures {
  const { model, chance } = making;
  const seconds = chance.spread(18, 0.6);
  switch (model.kind) {
    case 'text':
      return textOf(making);
    case 'embedding': {
      const durationMs = Math.round(chance.spread(70, 0.5));
      return { usage: { input_tokens: Math.round(chance.spread(420, 0.7)) }, durationMs, firstByteMs: durationMs };
    }
    case 'speech': {
      const durationMs = Math.round(chance.spread(900, 0.5));
      const usage = { input_characters: Math.round(chance.spread(180, 0.6)) };
      return { usage, durationMs, firstByteMs: Math.round(durationMs * 0.3) };
    }
    case 'transcription': {
      const durationMs = Math.round(seconds * 45);
      return { usage: { audio_minutes: Math.round(seconds * 1_000) / 60_000 }, durationMs, firstByteMs: durationMs };
    }
    case 'conversion': {
      const durationMs = Math.round(seconds * 90);
      return { usage: { audio_seconds: Math.round(seconds * 1_000) / 1_000 }, durationMs, firstByteMs: durationMs };
    }
    case 'realtime': {
      const minutes = chance.spread(1.4, 0.5);
      const usage = {
        audio_minutes: Math.round(minutes * 60_000) / 60_000,
        output_tokens: Math.round(minutes * 140),
        output_characters: Math.round(minutes * 620),
      };
      return { usage, durationMs: Math.round(minutes * 61_000), firstByteMs: Math.round(chance.spread(190, 0.3)) };
    }
    default:
      return model.kind satisfies never;
  }
}

function textOf({ model, chance, application }: Making): Measures {
  const [input, output] = application.tokens ?? [1_400, 320];
  const inputTokens = Math.round(chance.spread(input, 0.7));
  const outputTokens = Math.max(1, Math.round(chance.spread(output, 0.6)));
  const cached =
    model.rates.cached_input_tokens !== undefined && chance.next() < 0.55 ? Math.round(inputTokens * 0.6) : 0;
  const firstByteMs = Math.round(chance.spread(model.id.includes('small') ? 160 : 320, 0.45));
  const durationMs = firstByteMs + Math.round(outputTokens * chance.spread(model.id.includes('small') ? 6 : 13, 0.25));
  const usage = {
    input_tokens: inputTokens - cached,
    output_tokens: outputTokens,
    ...(cached > 0 && { cached_input_tokens: cached }),
  };
  return { usage, durationMs, firstByteMs: application.streams ? firstByteMs : durationMs };
}
