import { byName } from '../openedUpstreams.ts';
import { ProviderError, type CallSignal, type Held } from '../provider.ts';
import type { Routing, ServedModel, UpstreamAddress } from '../upstreamOptions.ts';
import { noteOutcome } from '../upstreamOutcomes.ts';
import { Attempts, type Plan } from './attempts.ts';
import type { CircuitOptions, CircuitReason, CircuitState } from './circuit.ts';
import { isAllowed, missedOf, PlaceHealth, type Demands, type Place } from './place.ts';
import { RetryAllowance } from './retryAllowance.ts';
import { sortPlaces, type CallKind, type Choice } from './sortPlaces.ts';
import { createUpstreamHealth, type AccountAlarm } from './upstreamHealth.ts';

/** A first byte later than this many times its upstream's usual p95 is late, unless the model says otherwise. */
const LATE_FACTOR = 2;
/** Nothing is late before. */
const LATE_MS_MIN = 100;
const BUDGET_MS = 60_000;

/** An upstream of a model, with its names. */
export interface RoutedPlace extends Place {
  readonly upstream: string;
  /** Its name of the model. */
  readonly model: string;
  readonly answersAs: readonly string[] | undefined;
}

/** The state of one upstream of a model in this process. */
export interface PlaceState {
  upstream: string;
  model: string;
  state: CircuitState;
  reason: CircuitReason | undefined;
  /** Of the last five minutes. */
  calls: number;
  failures: number;
  p95Ms: number | undefined;
}

/** One call of a model. */
interface RoutedCall<T> {
  places: readonly RoutedPlace[];
  routing: Routing | undefined;
  kind: CallKind;
  demands: Demands;
  begin(place: RoutedPlace, signal: CallSignal): Promise<T>;
  discard?(result: T): void;
}

export interface RoutingOptions extends CircuitOptions {
  onAlarm?: AccountAlarm | undefined;
  /** No further upstream is tried after this time of a call, unless its model says otherwise. */
  budgetMs?: number | undefined;
}

export type UpstreamRouting = ReturnType<typeof createRouting>;

/**
 * Chooses the upstreams of calls, and tries one after another (`Attempts`): one object for all kinds of models of a process, as they share
 * upstreams. A model with one upstream is called without any of that.
 */
export function createRouting({ onAlarm, budgetMs = BUDGET_MS, ...options }: RoutingOptions = {}) {
  const { nowMs = () => performance.now(), random = Math.random } = options;
  const allowance = new RetryAllowance(nowMs);
  const healthOf = byName((name) => createUpstreamHealth({ name, onAlarm, onOutcome: noteOutcome, nowMs, random }));
  const owned = new Map<string, { upstream: string; model: string; own: PlaceHealth }>();
  // A model's upstreams are one list, also where its price is another.
  const byList = new WeakMap<ServedModel['upstreams'], readonly RoutedPlace[]>();

  function ownOf(upstream: string, model: string): PlaceHealth {
    const key = JSON.stringify([upstream, model]);
    const known = owned.get(key) ?? { upstream, model, own: new PlaceHealth({ nowMs, random }) };
    owned.set(key, known);
    return known.own;
  }

  /** A model's upstreams; what the catalogue says of one is read when it matters. */
  function placesOf({ upstreams }: Pick<ServedModel, 'upstreams'>, at: Addresses): readonly RoutedPlace[] {
    const known = byList.get(upstreams);
    if (known) return known;
    const places = upstreams.map((place): RoutedPlace => ({
      upstream: place.upstream,
      model: place.model,
      weight: place.weight ?? 1,
      cost: place.costRank,
      without: place.without,
      answersAs: place.answersAs,
      health: healthOf(place.upstream),
      own: ownOf(place.upstream, place.model),
      get keepsData() {
        return at.get(place.upstream)?.retention !== 'none';
      },
      get region() {
        return at.get(place.upstream)?.region;
      },
    }));
    byList.set(upstreams, places);
    return places;
  }

  function first<T>(call: RoutedCall<T>, signal: CallSignal): Promise<T> {
    const { places } = call;
    const [only] = places;
    const { noRetention, members } = call.demands;
    if (places.length === 1 && !noRetention && !members && !call.routing) return alone(only!, call, signal);
    const allowed = allowedOf(call);
    if (allowed.length === 0) return Promise.reject(noneAllowed(call));
    const choice = sortPlaces(allowed, call.routing ?? {}, { kind: call.kind, random });
    return new Attempts(planOf(call, choice), signal).run();
  }

  /** Not an async function, and without an object of its own: almost every call. */
  function alone<T>(place: RoutedPlace, call: RoutedCall<T>, signal: CallSignal): Promise<T> {
    signal.attempted?.(place.upstream);
    let begun: Promise<T>;
    try {
      begun = call.begin(place, place.answersAs ? expecting(signal, place) : signal);
    } catch (error) {
      begun = Promise.reject(error);
    }
    return begun.then(
      (result) => {
        place.health.answered();
        return result;
      },
      (error: unknown) => {
        if (error instanceof ProviderError) place.health.failed(error);
        throw error;
      },
    );
  }

  function planOf<T>(call: RoutedCall<T>, choice: Choice<RoutedPlace>): Plan<RoutedPlace, T> {
    const { kind, routing: { attempts = Infinity, budgetMs: ownMs = budgetMs, lateFactor = LATE_FACTOR } = {} } = call;
    const { order, by, healthy, skipped } = choice;
    const begunMs = nowMs();
    allowance.called();
    return {
      places: order.length > attempts ? order.slice(0, attempts) : order,
      nameOf: ({ upstream }) => upstream,
      begin: (place, signal) => call.begin(place, expecting(signal, place)),
      lateMsOf: (place) => (lateFactor === 0 ? undefined : lateMsOf(place, order, kind, lateFactor)),
      mayGoOn: () => nowMs() - begunMs < ownMs && allowance.take(),
      answered: (place, waitMs) => {
        place.health.answered();
        place.own.circuit.answered();
        place.own[kind].answered(waitMs);
      },
      failed: (place, error) => failed(place, error, kind),
      late: (place, waitMs) => {
        place.own.circuit.failed({ isLate: true });
        place.own[kind].answered(waitMs);
      },
      broke: (place) => {
        place.own.circuit.broke();
        place.own[kind].broke();
      },
      discard: (result) => call.discard?.(result),
      note: { by, healthy, of: order.length, skipped },
    };
  }

  return {
    healthOf,
    placesOf,
    first,
    /** The upstreams of models that were called, where a model has several. */
    states: (): PlaceState[] =>
      [...owned.values()].map(({ upstream, model, own: { circuit, streams, wholes } }) => {
        const [one, other] = [streams.summary(), wholes.summary()];
        const state = healthOf(upstream).circuit.isClosed ? circuit : healthOf(upstream).circuit;
        return {
          upstream,
          model,
          state: state.state,
          reason: state.reason,
          calls: one.calls + other.calls,
          failures: one.failures + other.failures,
          p95Ms: one.p95Ms ?? other.p95Ms,
        };
      }),
  };
}

type Addresses = ReadonlyMap<string, UpstreamAddress>;

const allowedOf = <T>({ places, routing = {}, demands }: RoutedCall<T>): readonly RoutedPlace[] => {
  const isAny = (place: RoutedPlace) => isAllowed(place, routing, demands);
  return places.every(isAny) ? places : places.filter(isAny);
};

/** What a held call demands of its upstreams. */
export const demandsOf = ({ noRetention }: Held, members?: object): Demands => ({
  noRetention,
  ...(members && { members }),
});

function failed({ health, own }: RoutedPlace, error: ProviderError, kind: CallKind): void {
  health.failed(error);
  const { fault } = error;
  // It answered, and the call was at fault; what is not set up is no failure of an upstream.
  if (fault === 'refused') return own.circuit.answered();
  if (fault === 'unavailable') return;
  own[kind].failed();
  if (fault === 'account') own.circuit.open('refused_account');
  else if (fault === 'overloaded' && error.retryAfterMs !== undefined)
    own.circuit.open('overloaded', error.retryAfterMs);
  else own.circuit.failed();
}

/** By its own p95; of an upstream that was hardly called, by the best one's of the others. */
function lateMsOf(place: RoutedPlace, all: readonly RoutedPlace[], kind: CallKind, factor: number): number | undefined {
  const ownMs = usualMsOf(place, kind);
  const usualMs = ownMs ?? Math.min(...all.map((other) => usualMsOf(other, kind) ?? Infinity));
  return usualMs === Infinity ? undefined : Math.max(LATE_MS_MIN, usualMs * factor);
}

const usualMsOf = ({ own }: RoutedPlace, kind: CallKind): number | undefined => own[kind].summary().usualMs;

function expecting(signal: CallSignal, { answersAs }: RoutedPlace): CallSignal {
  return answersAs ? Object.assign(signal, { answersAs }) : signal;
}

/** The caller's demand cannot be met: nothing else is tried. */
function noneAllowed<T>({ places, routing = {}, demands }: RoutedCall<T>): ProviderError {
  if (places.length === 0) return new ProviderError('unavailable', 'no upstream serves this model');
  const { noRetention, members } = demands;
  const allowedTo = (less: Demands) => places.filter((place) => isAllowed(place, routing, less));
  if (noRetention && allowedTo({ noRetention }).length === 0) {
    const message = 'No upstream of this model keeps nothing of a call, as this key or workspace demands.';
    return refusal({ code: 'no_retention_unmet', message });
  }
  const param = allowedTo({ noRetention })
    .map(({ without }) => missedOf(without, members))
    .find((name) => name !== undefined);
  const message =
    param === undefined ? 'No upstream of this model is allowed.' : `No upstream of this model supports '${param}'.`;
  return refusal({ code: 'no_upstream_allowed', message, ...(param !== undefined && { param }) });
}

const refusal = (detail: { code: string; message: string; param?: string }): ProviderError =>
  new ProviderError('refused', `no upstream is allowed: ${detail.code}`, { status: 403, detail });
