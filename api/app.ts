import Koa from 'koa';
import { newId } from '../db/ids.ts';
import { sendAnswer } from './answer.ts';
import { API_VERSION } from './apiVersion.ts';
import type { Context, Guard, State } from './context.ts';
import { invalidRequest } from './errors.ts';
import { letPagesRead } from './guard/cors.ts';
import { errors } from './guard/errors.ts';
import { noteKey } from './guard/key.ts';
import { logRequest } from './log.ts';
import { createRouter } from './router.ts';
import { createRoutes } from './routes.ts';
import type { Services } from './services.ts';

const SLASH = 47;

/** The middleware stack, in order: who and when, the log line, errors, what no honest client sends, the route. */
export function createApp(services: Services): Koa<State> {
  const app = new Koa<State>();
  // Errors are rendered by their guard, and `sendAnswer` sends: what Koa does around a request would double both.
  Object.assign(app, { handleRequest });
  app.use(identify(services));
  app.use(errors(services.limits));
  app.use(refuseAmbiguous);
  app.use(createRouter(createRoutes(services), (ctx) => noteKey(ctx, services.db.keys)));
  return app;
}

async function handleRequest(ctx: Context, run: (ctx: Context) => Promise<void>): Promise<void> {
  await run(ctx);
  sendAnswer(ctx);
}

function identify({ log }: Services): Guard {
  return (ctx, next) => {
    const requestId = newId('req');
    Object.assign(ctx.state, {
      requestId,
      startedAtMs: Date.now(),
      begunAtMs: performance.now(),
      route: ctx.path,
      log: {},
    });
    ctx.res.setHeader('x-request-id', requestId);
    ctx.res.setHeader('x-api-version', API_VERSION);
    ctx.res.setHeader('x-content-type-options', 'nosniff');
    ctx.res.setHeader('cache-control', 'no-store');
    if (ctx.req.headers.origin !== undefined) letPagesRead(ctx);
    return next().finally(() => logRequest(log, ctx));
  };
}

// Two hosts, or an absolute address in the request line, are how one request is made to look like two to two servers.
function refuseAmbiguous({ req }: Context, next: () => Promise<void>): Promise<void> {
  const { host } = req.headers;
  // Headers that are sent twice arrive joined by a comma.
  if (host?.includes(',')) throw invalidRequest('invalid_request', 'The request has more than one Host header.');
  if (host === undefined && req.httpVersion !== '1.0')
    throw invalidRequest('invalid_request', 'The request has no Host header.');
  if (req.url!.charCodeAt(0) !== SLASH)
    throw invalidRequest('invalid_request', 'The request line must hold a path, not an address.');
  return next();
}
