import type { UpstreamHealth } from './upstreamHealth.ts';
import type { Routing } from '../upstreamOptions.ts';
import { Circuit, type CircuitOptions } from './circuit.ts';
import { RecentCalls } from './recentCalls.ts';

/** What a call asks of its upstreams. */
export interface Demands {
  /** Only upstreams that keep nothing of it. */
  readonly noRetention?: boolean | undefined;
  /** The request's members, of which an upstream may not support some. */
  readonly members?: object;
}

/** The calls of one model at one upstream: their circuit, and how they went in the last minutes. */
export class PlaceHealth {
  readonly circuit: Circuit;
  readonly streams: RecentCalls;
  readonly wholes: RecentCalls;

  constructor(options: CircuitOptions & { nowMs: () => number }) {
    this.circuit = new Circuit(options);
    this.streams = new RecentCalls(options.nowMs);
    this.wholes = new RecentCalls(options.nowMs);
  }
}

/** One upstream of a model, as routing sees it. */
export interface Place {
  /** That of the whole upstream, shared by its models. */
  readonly health: UpstreamHealth;
  readonly own: PlaceHealth;
  readonly weight: number;
  /** What it charges, to compare; undefined: not known. */
  readonly cost: number | undefined;
  readonly keepsData: boolean;
  readonly region: string | undefined;
  /** Parameters that it does not support. */
  readonly without: readonly string[] | undefined;
}

/** Whether a call may use an upstream at all. */
export function isAllowed(
  place: Pick<Place, 'keepsData' | 'region' | 'without'>,
  { regions, retention }: Routing,
  { noRetention, members }: Demands,
): boolean {
  if ((noRetention || retention === 'none') && place.keepsData) return false;
  if (regions && (place.region === undefined || !regions.includes(place.region))) return false;
  return missedOf(place.without, members) === undefined;
}

/** The first of these parameters that a request has. */
export const missedOf = (without: Place['without'], members: object | undefined): string | undefined =>
  members && without?.find((name) => (members as Record<string, unknown>)[name] !== undefined);

export const isClosed = ({ health, own }: Place): boolean => health.isHealthy() && own.circuit.isClosed;

/** Whether this call may try it in its order: of a half-open circuit, only the first call. */
export const mayTry = ({ health, own }: Place): boolean =>
  health.isHealthy() ? own.circuit.mayTry() : own.circuit.state !== 'open' && health.mayTry();
