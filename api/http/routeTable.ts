import assert from 'node:assert';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { familyOf, type Route } from './router.ts';

/** Routes that are loaded together, at the first request for a family of URLs that they belong to. */
export interface Room {
  /** Whether some of its routes belong to this family. */
  has: (family: string) => boolean;
  load: () => Promise<Route[]>;
}

/** Every URL of the service, by room. */
export interface RouteTable {
  /** The routes of a family, loaded by the first call; undefined if no room has it. */
  find: (family: string) => Promise<Route[]> | undefined;
  /** Loads all rooms, one after another: other requests are answered in between. */
  all: () => Promise<Route[]>;
  /** Whether a path is that of a loaded route, with its parameters: `/v1/models/:id`. */
  isRoute: (path: string) => boolean;
}

/** A room with these families, separated by spaces, whose modules are imported by `load`. */
export function room(families: string, load: () => Promise<Route[]>): Room {
  const names = new Set(families.split(' '));
  return { has: (family) => names.has(family), load };
}

/** A room that is loaded at start, because every call needs it or it has no modules of its own. */
export function openRoom(routes: Route[]): Room {
  const names = new Set(routes.map(({ path }) => familyOf(path)));
  return { has: (family) => names.has(family), load: async () => routes };
}

/** The table of these rooms. Where several have a family, its routes are tried in the order of the rooms. */
export function createRouteTable(rooms: readonly Room[]): RouteTable {
  const loading = new Map<Room, Promise<Route[]>>();
  const paths = new Set<string>();

  function open(one: Room): Promise<Route[]> {
    const opened = loading.get(one) ?? load(one);
    loading.set(one, opened);
    // The next request tries again.
    opened.catch(() => loading.delete(one));
    return opened;
  }

  async function load(one: Room): Promise<Route[]> {
    const routes = await one.load();
    for (const { path } of routes) {
      assert(one.has(familyOf(path)), `${path} is not in the families of its room`);
      paths.add(path);
    }
    return routes;
  }

  async function openAll(some: readonly Room[]): Promise<Route[]> {
    const routes: Route[] = [];
    for (const one of some) {
      const isLoaded = loading.has(one);
      routes.push(...(await open(one)));
      // An import, which reads its modules synchronously, gives the event loop no turn.
      if (!isLoaded) await nextTurn();
    }
    return routes;
  }

  return {
    find(family) {
      const some = rooms.filter(({ has }) => has(family));
      if (some.length === 0) return undefined;
      return openAll(some).then((routes) => routes.filter(({ path }) => familyOf(path) === family));
    },
    all: () => openAll(rooms),
    isRoute: (path) => paths.has(path),
  };
}
