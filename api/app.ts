import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import { sendAnswer } from './http/answer.ts';
import { API_VERSION } from './http/flatResponse.ts';
import { createPages } from './console/pages.ts';
import type { Context, Middleware, State } from './context.ts';
import { invalidRequest } from '../base/errors/requestErrors.ts';
import { setCorsHeaders } from './http/cors.ts';
import { errors } from './guard/errors.ts';
import { noteKey } from './guard/key.ts';
import { logRequest } from './log.ts';
import { keepRefusal } from './refusedCalls.ts';
import { countRequest } from './requestMetrics.ts';
import { tracing } from '../base/tracing.ts';
import { createRouter } from './http/router.ts';
import type { RouteTable } from './http/routeTable.ts';
import { createRoutes } from './routes.ts';
import { RequestCaller } from './requestCaller.ts';
import type { Services } from './services.ts';
import { traceRequests } from './tracedRequests.ts';

const SLASH = 47;
// A name or an address, with an optional port. Other characters are not part of a valid host.
const HOST = /^(\[[\da-f:.]+\]|[\w.~%-]+)(:\d*)?$/i;

/** The middleware stack, in order: identification, the log line, errors, checks of malformed requests, the route. */
export function createApp(services: Services): Koa<State> {
  const app = new Koa<State>();
  // `errors` renders errors and `sendAnswer` sends the answer. Koa's own handling would repeat both, which costs 18 us.
  const routes = createRoutes(services);
  const handle = handleRequest(services);
  Object.assign(app, { handleRequest: tracing ? traceRequests(tracing, routes, handle) : handle });
  app.use(identify(services, routes));
  app.use(errors(services.limits));
  app.use(refuseAmbiguous);
  const onNowhere = (ctx: Context) => noteKey(ctx, services.db.keys);
  app.use(createRouter(routes.find, { pages: createPages(services.config), onNowhere }));
  return app;
}

function handleRequest({ shutdown }: Services) {
  return async (ctx: Context, run: (ctx: Context) => Promise<void>): Promise<void> => {
    shutdown.enter();
    try {
      await run(ctx);
      sendAnswer(ctx);
    } finally {
      shutdown.leave();
    }
  };
}

function identify(
  { db, log, shutdown, metrics, config: { trustedProxies } }: Services,
  routes: RouteTable,
): Middleware {
  const ended = metrics ? countRequest(metrics, routes) : undefined;
  return (ctx, next) => {
    const state = new RequestCaller(ctx.req, ctx.res, ctx.path) as State;
    state.trustedProxies = trustedProxies;
    ctx.state = state;
    ctx.res.setHeader('x-request-id', state.requestId);
    ctx.res.setHeader('x-api-version', API_VERSION);
    ctx.res.setHeader('x-content-type-options', 'nosniff');
    ctx.res.setHeader('cache-control', 'no-store');
    if (shutdown.hasBegun()) ctx.res.setHeader('connection', 'close');
    if (ctx.req.headers.origin !== undefined) setCorsHeaders(ctx);
    const end = () => {
      logRequest(log, ctx);
      if (ctx.res.statusCode >= 400) keepRefusal(db.refusals, ctx);
      ended?.(ctx);
    };
    return next().then(end, (error: unknown) => {
      end();
      throw error;
    });
  };
}

// Prevents request smuggling: two servers could split these bytes into requests differently, so the connection is closed.
function refuseAmbiguous({ req, res }: Context, next: () => Promise<void>): Promise<void> {
  joinEqual(req);
  const problem = ambiguityOf(req);
  if (problem === undefined) return next();
  res.setHeader('connection', 'close');
  throw invalidRequest('invalid_request', problem);
}

// Headers that frame requests or name the host must not be repeated.
const SINGLE = new Set(['host', 'content-length', 'transfer-encoding']);

/** A header repeated with the same value counts once: proxies and clients sometimes both add it. */
function joinEqual({ headers, rawHeaders }: IncomingMessage): void {
  if (rawHeaders.length / 2 === Object.keys(headers).length) return;
  const sent = new Map<string, Set<string>>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    sent.set(name, (sent.get(name) ?? new Set()).add(rawHeaders[at + 1]!));
  }
  for (const [name, values] of sent) if (values.size === 1 && !SINGLE.has(name)) headers[name] = [...values][0];
}

/** Why two servers could read this request differently; undefined if they could not. */
function ambiguityOf(req: IncomingMessage): string | undefined {
  const { headers } = req;
  const { host, 'transfer-encoding': coding } = headers;
  // Repeated headers arrive joined by a comma.
  if (host?.includes(',')) return 'The request has more than one Host header.';
  if (host === undefined && req.httpVersion !== '1.0') return 'The request has no Host header.';
  if (req.url!.charCodeAt(0) !== SLASH && !takeAddress(req)) return 'The request line must hold a path or an address.';
  if (headers.host !== undefined && !HOST.test(headers.host))
    return 'The Host header must be a name or an address, with or without a port.';
  // Node does not decode other codings.
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'The only transfer encoding is "chunked".';
  return undefined;
}

/** Reads an address as target, `http://host/path`, as proxies get it: its host replaces the header (RFC 9112, 3.2.2). False for other ones. */
function takeAddress(req: IncomingMessage): boolean {
  const [, host, path = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(req.url!) ?? [];
  if (host === undefined) return false;
  req.headers.host = host;
  req.url = path.startsWith('/') ? path : `/${path}`;
  return true;
}
