import type { Scope } from '../../db/keys/scopes.ts';
import { scope } from '../guard/key.ts';
import type { Route } from '../http/router.ts';

// Prefixes of a workspace's routes and of their copies on the console. If a path matches two, the first counts.
const PATHS: readonly (readonly [start: string, mirrored: string])[] = [
  ['/platform/v1/billing/', '/console/v1/'],
  ['/platform/v1/', '/console/v1/'],
  ['/v1/', '/console/v1/'],
  ['/voiceapi/v1/', '/console/v1/voice/'],
];
const LEFT_OUT = new Set(['/v1/mcp', '/platform/v1/billing/stripe/webhook', '/platform/v1/keys/derive']);

// Actions that a key may do without a scope, and only some roles of members.
const NEEDS: Record<string, Scope> = {
  'POST /console/v1/checkout': 'billing',
  'POST /console/v1/card': 'billing',
  'PATCH /console/v1/auto_topup': 'billing',
  'GET /console/v1/statement': 'billing',
  'GET /console/v1/details': 'billing',
  'PATCH /console/v1/details': 'billing',
  'GET /console/v1/invoices': 'billing',
  'GET /console/v1/invoices/:invoice_id': 'billing',
  'GET /console/v1/invoices/:invoice_id/pdf': 'billing',
  'POST /console/v1/publisher/payouts': 'billing',
};

/**
 * The workspace's routes under `/console/v1`, for members: `routes` have the session guard. The console's own routes (`own`) take
 * precedence. All are documented once, at their own paths.
 */
export function mirrorOf(routes: Route[], own: Route[]): Route[] {
  const taken = new Set(own.map(nameOf));
  return PATHS.flatMap(([start, mirrored]) =>
    routes
      .filter(({ path }) => path.startsWith(start) && ruleOf(path) === start && !LEFT_OUT.has(path))
      .map((route) => withRole({ ...route, path: mirrored + route.path.slice(start.length), doc: undefined }))
      .filter((route) => !taken.has(nameOf(route)) && taken.add(nameOf(route))),
  );
}

const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

const ruleOf = (path: string): string | undefined => PATHS.find(([start]) => path.startsWith(start))?.[0];

// Between the session's guard and later ones.
function withRole(route: Route): Route {
  const needed = NEEDS[nameOf(route)];
  if (needed === undefined) return route;
  const [session, ...others] = route.guards;
  return { ...route, guards: [session!, scope(needed), ...others] };
}
