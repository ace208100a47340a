import { overloaded } from '../../base/errors/serviceErrors.ts';
import { createPlaces, PlacesFull } from '../../base/places.ts';

// A hash takes a core for 30 ms and 19 MiB. Two at once leave threads and connections for calls; twenty are served within a second.
const LIMITS = { atOnce: 2, waitingMax: 20 };

/** Bounds the requests that hash a password: a few run, some wait in order, the rest get 503 `overloaded`. */
export function createPasswordGate() {
  const places = createPlaces(LIMITS);
  return <T>(work: () => Promise<T>): Promise<T> =>
    places.run(work).catch((error: unknown) => {
      throw error instanceof PlacesFull ? overloaded() : error;
    });
}
