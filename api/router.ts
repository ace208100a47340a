import findMyWay, { type HTTPMethod } from 'find-my-way';
import compose from 'koa-compose';
import type { Context, Guard, Handler } from './context.ts';
import type { DocumentedRoute } from './docs/documentedRoute.ts';
import { methodNotAllowed, unknownRoute } from './errors.ts';

/** One URL: what stands before its handler, in order, the handler, and what the documentation says of it. */
export interface Route extends DocumentedRoute {
  guards: Guard[];
  handler: Handler;
}

type Run = (ctx: Context) => Promise<void>;

/**
 * Dispatches by method and path. A radix tree finds a route in one pass over the path, however many there are.
 * Throws 404 `unknown_url` and 405 `method_not_allowed`.
 */
export function createRouter(routes: Route[]): (ctx: Context) => Promise<void> {
  const tree = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 500 });
  for (const route of routes)
    tree.on(route.method, route.path, () => undefined, { run: runOf(route), path: route.path });
  return (ctx) => {
    const found = tree.find(ctx.method as HTTPMethod, ctx.path);
    if (!found) throw refusal(ctx);
    const { run, path } = found.store as { run: Run; path: string };
    ctx.state.params = found.params;
    ctx.state.route = path;
    return run(ctx);
  };

  function refusal(ctx: Context): Error {
    const allowed = ['GET', 'POST', 'PATCH', 'DELETE'].filter((method) => tree.find(method as HTTPMethod, ctx.path));
    return allowed.length > 0 ? methodNotAllowed(ctx.method, allowed) : unknownRoute(ctx.method, ctx.path);
  }
}

function runOf({ guards, handler }: Route): Run {
  const stack = compose<Context>([...guards, async (ctx) => handler(ctx)]);
  return (ctx) => stack(ctx);
}
