import type { PlaceKind } from '../../entities/flow.ts';

/** What is admitted in a lane: how many runs that have not ended, and when runs of a rate were admitted, in order. */
export interface LaneUse {
  lane: string;
  running: number;
  started: Date[];
}

/** A place that a run waits for. */
export interface WantedPlace {
  kind: PlaceKind;
  lane: string;
  limit: number | null;
  periodSeconds: number | null;
}

/**
 * The room in lanes at a time. A run is admitted when all its lanes have room. One that a lane has no room for closes it: no later run of
 * the lane overtakes it. A run that only another lane, its session or its time holds back is overtaken.
 */
export function createLanes(now: Date) {
  const uses = new Map<string, LaneUse>();
  const closed = new Set<string>();

  /** Until when a lane has no room: a time, `unknown`, or undefined: it has. */
  function fullUntil({ kind, lane, limit, periodSeconds }: WantedPlace): Date | 'unknown' | undefined {
    if (limit === null) return undefined;
    const { running, started } = uses.get(lane)!;
    if (kind !== 'rate') return closed.has(lane) || running >= limit ? 'unknown' : undefined;
    const periodMs = periodSeconds! * 1_000;
    const recent = started.filter((at) => at.getTime() > now.getTime() - periodMs);
    if (recent.length >= limit) return new Date(recent[recent.length - limit]!.getTime() + periodMs);
    return closed.has(lane) ? 'unknown' : undefined;
  }

  /** Takes all the places, or none: then it returns until when one of them is surely not free, if a time decides. */
  function admit(places: WantedPlace[]): 'admitted' | 'unknown' | Date {
    const full = places.flatMap((place) => {
      const until = fullUntil(place);
      return until === undefined ? [] : [{ lane: place.lane, until }];
    });
    if (full.length > 0) {
      for (const { lane } of full) closed.add(lane);
      const times = full.flatMap(({ until }) => (until === 'unknown' ? [] : [until.getTime()]));
      return times.length === full.length ? new Date(Math.max(...times)) : 'unknown';
    }
    for (const { lane } of places) {
      const use = uses.get(lane)!;
      use.running += 1;
      use.started.push(now);
    }
    return 'admitted';
  }

  return {
    admit,
    areClosed: (lanes: string[]): boolean => lanes.every((lane) => closed.has(lane)),
    /** Those of the lanes whose use is not known yet, each once. */
    unread: (lanes: string[]): string[] => [...new Set(lanes)].filter((lane) => !uses.has(lane)),
    note: (lanes: string[], found: LaneUse[]): void => {
      for (const lane of lanes)
        uses.set(lane, found.find((use) => use.lane === lane) ?? { lane, running: 0, started: [] });
    },
  };
}
