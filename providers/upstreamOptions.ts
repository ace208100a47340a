import type { UpstreamConfig } from './config.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** An address that models run at, or `embedded` for those of this process. `setup` says what to do when the address is not set. */
export interface UpstreamAddress {
  protocol?: 'openai' | 'elevenlabs' | 'embedded';
  baseUrl: string;
  apiKey?: string;
  setup?: string;
  /** Time limits of this upstream; the environment's where left out. */
  timeoutsMs?: { connect?: number; firstByte?: number; idle?: number; answer?: number };
}

/** A model by the service's id, and where it runs, in order of preference. */
export interface ServedModel {
  id: string;
  upstreams: { upstream: string; model: string }[];
}

/** Where an upstream is, and how long it may take. */
export interface UpstreamOptions {
  /** Where the upstream's paths begin, e.g. `https://api.openai.com/v1` or `https://api.elevenlabs.io`. */
  baseUrl: string;
  apiKey?: string;
  /** Longest silence within an answer, and before a stream's first part. Kept to about half a second. */
  idleTimeoutMs: number;
  /** Longest wait for the head of a whole answer, which may come when all the work is done. */
  answerTimeoutMs: number;
  /** Longest wait for the head of a stream; when left out, as long as any silence for text, and as long as a whole answer for sound. */
  firstByteTimeoutMs?: number;
  connectTimeoutMs: number;
  /** Calls under way at once; more wait for a free connection. */
  connectionsMax: number;
}

/** How an upstream of the catalogue is called. */
export function optionsOf(
  { baseUrl, apiKey, timeoutsMs = {} }: UpstreamAddress,
  config: UpstreamConfig,
): UpstreamOptions {
  return {
    baseUrl,
    apiKey,
    connectTimeoutMs: timeoutsMs.connect ?? CONNECT_TIMEOUT_MS,
    firstByteTimeoutMs: timeoutsMs.firstByte,
    idleTimeoutMs: timeoutsMs.idle ?? config.idleTimeoutMs,
    answerTimeoutMs: timeoutsMs.answer ?? config.answerTimeoutMs,
    connectionsMax: config.connectionsMax,
  };
}
