import Koa from 'koa';
import { newId } from '../db/ids.ts';
import { API_VERSION } from './apiVersion.ts';
import type { Context, Guard, State } from './context.ts';
import { invalidRequest } from './errors.ts';
import { errors } from './guard/errors.ts';
import { logRequest } from './log.ts';
import { createRouter } from './router.ts';
import { createRoutes } from './routes.ts';
import type { Services } from './services.ts';

/** The middleware stack, in order: who and when, the log line, errors, what no honest client sends, the route. */
export function createApp(services: Services): Koa<State> {
  const app = new Koa<State>();
  app.use(identify(services));
  app.use(errors);
  app.use(refuseAmbiguous);
  app.use(createRouter(createRoutes(services)));
  // Every error is rendered by the guard; what reaches Koa is a client that hung up.
  app.silent = true;
  return app;
}

function identify({ log }: Services): Guard {
  return (ctx, next) => {
    const requestId = newId('req');
    Object.assign(ctx.state, { requestId, startedAtMs: Date.now(), route: ctx.path, log: {} });
    ctx.res.setHeader('x-request-id', requestId);
    ctx.res.setHeader('x-api-version', API_VERSION);
    return next().finally(() => logRequest(log, ctx));
  };
}

// Two hosts, or an absolute address in the request line, are how one request is made to look like two to two servers.
function refuseAmbiguous(ctx: Context, next: () => Promise<void>): Promise<void> {
  const { rawHeaders, url } = ctx.req;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw invalidRequest('invalid_request', 'The request has more than one Host header.');
  if (!url!.startsWith('/'))
    throw invalidRequest('invalid_request', 'The request line must hold a path, not an address.');
  return next();
}
