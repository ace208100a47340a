import type { UpstreamConfig } from './config.ts';
import type { Json } from './provider.ts';
import type { RoutingRule } from './routingNote.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** An address of models, or `embedded` for those of this process. `setup` explains how to set a missing address. */
export interface UpstreamAddress {
  protocol?: 'openai' | 'elevenlabs' | 'embedded';
  baseUrl: string;
  apiKey?: string;
  setup?: string;
  /** Its name of the limit of an answer's tokens, where it refuses OpenAI's `max_completion_tokens`. */
  outputLimit?: 'max_tokens';
  /** Timeouts of this upstream; defaults from the environment. */
  timeoutsMs?: { connect?: number; firstByte?: number; idle?: number; answer?: number };
  /** What it keeps of calls; anything else than `none` counts as kept. */
  retention?: 'none' | 'kept';
  region?: string;
}

/** The upstreams of the catalogue by name, as they are at the moment. */
export interface UpstreamCatalog {
  readonly upstreams: ReadonlyMap<string, UpstreamAddress>;
}

/** A model by the service's id, and its upstreams, in order of preference. */
export interface ServedModel {
  id: string;
  upstreams: readonly ServedPlace[];
  /** By what they are chosen; in their order where omitted. */
  routing?: Routing | undefined;
}

/** How a model's upstreams are chosen; by their order where omitted. */
export interface Routing {
  by?: RoutingRule;
  /** Only upstreams that keep nothing of a call. */
  retention?: 'none' | undefined;
  /** Only upstreams of these regions. */
  regions?: readonly string[];
  /** How many upstreams a call tries at most; all by default. */
  attempts?: number;
  /** No further upstream is tried after this time of a call. */
  budgetMs?: number;
  /** A first byte that is later than this many times its upstream's p95 is waited for beside another upstream; 0: never. */
  lateFactor?: number;
}

/** One upstream of a model. */
export interface ServedPlace {
  upstream: string;
  model: string;
  /** Its share of the calls, beside the weights of the others; 1 where omitted. */
  weight?: number | undefined;
  /** What it charges, to compare it with the others; omitted: not known. */
  costRank?: number | undefined;
  /** Parameters that it does not support: calls with one of them go to the others. */
  without?: readonly string[] | undefined;
  /** Names with which its answers' `model` begins, if it must be checked. */
  answersAs?: readonly string[] | undefined;
}

/** The address of an upstream, and its timeouts. */
export interface UpstreamOptions {
  /** Base URL of the upstream, e.g. `https://api.openai.com/v1` or `https://api.elevenlabs.io`. */
  baseUrl: string;
  apiKey?: string;
  outputLimit?: 'max_tokens' | undefined;
  /** Longest silence within an answer, and before a stream's first part. Accurate to about half a second. */
  idleTimeoutMs: number;
  /** Longest wait for the head of a whole answer, which may arrive after all the work is done. */
  answerTimeoutMs: number;
  /** Longest wait for the head of a stream; defaults to the silence limit for text, and to the whole-answer limit for audio. */
  firstByteTimeoutMs?: number;
  connectTimeoutMs: number;
  /** Concurrent calls; more wait for a free connection. */
  connectionsMax: number;
}

/** The call options of an upstream of the catalogue. */
export function optionsOf(
  { baseUrl, apiKey, outputLimit, timeoutsMs = {} }: UpstreamAddress,
  config: UpstreamConfig,
): UpstreamOptions {
  return {
    // The address of an upstream for realtime sessions may be a WebSocket URL.
    baseUrl: baseUrl.replace(/^ws/, 'http'),
    apiKey,
    outputLimit,
    connectTimeoutMs: timeoutsMs.connect ?? CONNECT_TIMEOUT_MS,
    firstByteTimeoutMs: timeoutsMs.firstByte,
    idleTimeoutMs: timeoutsMs.idle ?? config.idleTimeoutMs,
    answerTimeoutMs: timeoutsMs.answer ?? config.answerTimeoutMs,
    connectionsMax: config.connectionsMax,
  };
}

/** A body with the limit of its answer by the name that its upstream takes: some vendors refuse the newer one. */
export function namingLimit(body: Json, outputLimit: UpstreamOptions['outputLimit']): Json {
  if (outputLimit !== 'max_tokens' || body.max_completion_tokens === undefined) return body;
  const { max_completion_tokens, ...others } = body;
  return { max_tokens: max_completion_tokens, ...others };
}
