import findMyWay, { type FindResult, type HTTPMethod, type HTTPVersion } from 'find-my-way';
import compose from 'koa-compose';
import type { Context, Guard, Handler } from '../context.ts';
import type { DocumentedRoute } from '../docs/documentedRoute.ts';
import { invalidRequest, methodNotAllowed, unknownRoute } from '../errors/requestErrors.ts';
import { answerPreflight } from '../guard/cors.ts';

/** One URL: what stands before its handler, in order, the handler, and what the documentation says of it. */
export interface Route extends DocumentedRoute {
  guards: Guard[];
  handler: Handler;
}

const METHODS: HTTPMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type Run = (ctx: Context) => Promise<void>;

/**
 * Dispatches by method and path. A radix tree finds a route in one pass over the path, however many there are.
 * Throws 404 `unknown_url` and 405 `method_not_allowed`, before which it calls `onNowhere`, and 400 `invalid_url` for a path whose escapes are
 * not UTF-8.
 */
export function createRouter(
  routes: Route[],
  onNowhere: (ctx: Context) => Promise<void>,
): (ctx: Context) => Promise<void> {
  const tree = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 500, onBadUrl: () => undefined });
  for (const route of routes)
    tree.on(route.method, route.path, () => undefined, { run: runOf(route), path: route.path });
  return (ctx) => {
    const found = tree.find(ctx.method as HTTPMethod, ctx.path);
    return found ? follow(ctx, found) : answerOther(ctx);
  };

  async function answerOther(ctx: Context): Promise<void> {
    const allowed = METHODS.filter((method) => tree.find(method, ctx.path));
    const readable = tree.find('GET', ctx.path);
    // Koa leaves the body out of an answer to HEAD.
    if (ctx.method === 'HEAD' && readable) return follow(ctx, readable);
    if (ctx.method === 'OPTIONS' && allowed.length > 0) return answerPreflight(ctx);
    await onNowhere(ctx);
    throw allowed.length > 0 ? methodNotAllowed(ctx.method, allowed) : unknownRoute(ctx.method, ctx.path);
  }
}

function follow(ctx: Context, found: FindResult<HTTPVersion.V1>): Promise<void> {
  const target = found.store as { run: Run; path: string } | null;
  if (!target) throw invalidRequest('invalid_url', 'The path has an escape that is not valid UTF-8.');
  ctx.state.params = ctx.path.includes('%00') ? withoutNul(found.params) : found.params;
  ctx.state.route = target.path;
  return target.run(ctx);
}

// The database takes no NUL. As it was sent, it is a name like any other that nothing has.
function withoutNul(params: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value?.replaceAll('\0', '%00')]));
}

function runOf({ guards, handler }: Route): Run {
  return compose<Context>([...guards, handler]);
}
