import { createRequire } from 'node:module';
import type * as packaged from '@koa/router';
import type { RouterContext } from '@koa/router';
import compose from 'koa-compose';
import type { Context, Guard, Handler, State } from '../context.ts';
import type { DocumentedRoute, RouteDoc } from './documentedRoute.ts';
import { shouldUpgradeCallback } from './connections.ts';
import { invalidRequest, methodNotAllowed, unknownRoute } from '../../base/errors/requestErrors.ts';
import { closedBody, closedQuery } from '../body/closedRoute.ts';
import { answerPreflight, isPreflight } from './cors.ts';
import { elsewhere, unlisted } from './elsewhere.ts';

/** One URL: its guards in order, its handler, and its documentation. Its helper has checked that the handler takes the guards' input. */
export interface Route extends DocumentedRoute {
  guards: readonly Guard<never>[];
  handler: Handler<never>;
}

// Its form for `import` imports `node:http`, for which Node reads all members of that module and so loads a second undici, its own: 33 ms
// of a start.
const { Router } = createRequire(import.meta.url)('@koa/router') as typeof packaged;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const SEGMENT_CHARACTERS_MAX = 500;
// Longer ends of an unknown path are not compared with the routes.
const MEANT_SEGMENTS_MAX = 6;
// The base URLs of clients end so, before the paths that they append.
const CLIENT_BASES = ['', '/v1', '/voiceapi'];

// The path without parameters: `/v1/runs` for `/v1/runs/:run_id`, `/healthz`.
const FAMILY = /^(?:\/\w+)?\/v\d\/[^/]+|^\/[^/]*/;

type Dispatch = (ctx: RouterContext<State>, next: () => Promise<void>) => Promise<void>;

/**
 * Dispatches by method and path. Each family of URLs has its own router, found by the start of the path and made at its first request, from
 * the routes that `find` loads: a router tries its routes one after another, and a single router for all routes takes 20 us. `pages` gets
 * paths without a route and resolves with whether it has answered. Throws 404 `unknown_url`, with what was probably meant, and 405
 * `method_not_allowed`, after calling `onNowhere`, and 400 `invalid_url` for a path whose escapes are not UTF-8.
 */
export function createRouter(
  find: (family: string) => Promise<Route[]> | undefined,
  { pages, onNowhere }: { pages: (ctx: Context) => Promise<boolean>; onNowhere: (ctx: Context) => Promise<void> },
): (ctx: Context) => Promise<void> {
  const byFamily = new Map<string, Dispatch>();

  return (ctx) => {
    // Clients append paths to a base address that ends with a slash. Elsewhere an empty segment is a missing id.
    if (ctx.path.startsWith('//')) ctx.path = ctx.path.replace(/^\/+/, '/');
    const routed = ctx as RouterContext<State>;
    if (ctx.path.includes('%')) {
      const path = withUsualEscapes(ctx.path);
      if (path === null) return answerMalformed(routed);
      ctx.path = path;
    }
    if (hasLongSegment(ctx.path)) ctx.path = withShortSegments(ctx.path);
    const family = familyOf(ctx.path);
    const dispatch = byFamily.get(family);
    return dispatch ? dispatch(routed, () => answerUnmatched(routed)) : answerFirst(routed, family);
  };

  async function answerMalformed(ctx: RouterContext<State>): Promise<void> {
    if (await pages(ctx)) return;
    throw invalidRequest('invalid_url', 'The path has an escape that is not valid UTF-8.');
  }

  async function answerFirst(ctx: RouterContext<State>, family: string): Promise<void> {
    const routes = await find(family);
    if (!routes?.length) return answerUnmatched(ctx);
    if (!byFamily.has(family)) byFamily.set(family, dispatchOf(routes));
    return byFamily.get(family)!(ctx, () => answerUnmatched(ctx));
  }

  async function answerUnmatched(ctx: RouterContext<State>): Promise<void> {
    const { matched = [] } = ctx;
    const fitting = matched.filter(({ path }) => !namesNoId(path, ctx.path));
    const allowed = METHODS.filter((method) => fitting.some(({ methods }) => methods.includes(method)));
    // A page may read the 404 of an unknown path too.
    if (ctx.method === 'OPTIONS' && (allowed.length > 0 || isPreflight(ctx))) return answerPreflight(ctx, allowed);
    if (allowed.length === 0 && (await pages(ctx))) return;
    await onNowhere(ctx);
    if (allowed.length > 0) {
      const instead = ctx.method === 'GET' ? unlisted(ctx.path) : null;
      throw methodNotAllowed(ctx.method, allowed, { isSocket: shouldUpgradeCallback(ctx.req), instead });
    }
    throw unknownRoute(ctx.method, ctx.path, elsewhere(ctx.path) ?? (await wrongBase(ctx.method, ctx.path)));
  }

  async function wrongBase(method: string, path: string): Promise<string | null> {
    const meant = await urlMeant(method, path);
    return meant && `Did you mean ${method} ${meant}? Then the base URL of the client is wrong.`;
  }

  /** What a client with a wrong base URL meant: the route at the end of the path, as `/v1/models` of `/api/v1/v1/models`; null if none is. */
  async function urlMeant(method: string, path: string): Promise<string | null> {
    const segments = path.slice(1).split('/').slice(-MEANT_SEGMENTS_MAX);
    // A client of ElevenLabs means the voice family: `/voiceapi/v1/v1/models` is its list of models, not OpenAI's.
    const bases = path.startsWith('/voiceapi/') ? CLIENT_BASES.toReversed() : CLIENT_BASES;
    for (const at of segments.keys()) {
      if (!(await isBase(segments.slice(0, at)))) continue;
      for (const base of bases) {
        const url = `${base}/${segments.slice(at).join('/')}`;
        const routes = /^\/(?:\w+\/)?v\d\//.test(url) ? await find(familyOf(url)) : undefined;
        if (routes?.some((route) => route.method === method && fits(route.path, url))) return url;
      }
    }
    return null;
  }

  /** Whether these may be a base URL: nothing follows its version, unless it is the whole URL of a route, which some clients are given. */
  async function isBase(segments: string[]): Promise<boolean> {
    const version = segments.findLastIndex((segment) => /^v\d$/.test(segment));
    if (version < 0 || version === segments.length - 1) return true;
    const url = `/${segments.join('/')}`;
    return (await find(familyOf(url)))?.some(({ path }) => path === url) ?? false;
  }
}

/** Whether a URL is of this path of a route, with a text for each parameter. */
function fits(path: string, url: string): boolean {
  const [expected, segments] = [path.split('/'), url.split('/')];
  return (
    expected.length === segments.length &&
    expected.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]))
  );
}

/**
 * Whether a URL has a word where the route's path ends with an id, as `/v1/responses/compact` has: a sub-path that does not exist. Voices
 * that speak have words as ids: `/voiceapi/v1/text-to-speech/alloy`.
 */
const namesNoId = (path: string | RegExp, url: string): boolean =>
  /:\w+_id$/.test(String(path)) && !SPEAKS.test(String(path)) && /\/[a-z]+(?:_[a-z]+)*$/.test(url);

const SPEAKS = /\/(?:\w+-to-speech|voice-changer)\/:voice_id$/;

/** A route's path, with its parameters formatted by `parameter` and its escaped colons unescaped. */
export const urlOf = (path: string, parameter: (name: string) => string): string =>
  path.replaceAll(/\\:|:(\w+)/g, (_, name?: string) => (name === undefined ? ':' : parameter(name)));

/** The start of a path that selects its router. */
export const familyOf = (path: string): string => FAMILY.exec(path)?.[0] ?? '';

/**
 * The routes of one family. A path without parameters is found by its text: the router would match it three times, and keep what it has
 * matched in memory. GET routes answer HEAD too; Koa omits the body.
 */
function dispatchOf(routes: Route[]): Dispatch {
  const router = new Router<State>({ sensitive: true });
  const runs = routes.map(runOf);
  for (const [at, { method, path }] of routes.entries())
    router[method.toLowerCase() as Lowercase<typeof method>](path, (ctx) => runs[at]!(ctx, ctx.params));
  const exact = new Map<string, (typeof runs)[number]>();
  for (const [at, { method, path }] of routes.entries()) {
    const [first] = router.match(path, method).pathAndMethod;
    if (!path.includes(':') && first?.path === path) exact.set(`${method} ${path}`, runs[at]!);
  }
  const search = router.routes();
  return (ctx, next) => {
    const run = exact.get(`${ctx.method} ${ctx.path}`);
    return run ? run(ctx, {}) : (search(ctx, next) as Promise<void>);
  };
}

function runOf({ path, guards, handler }: Route): (ctx: Context, params: Record<string, string>) => Promise<void> {
  const run = compose([...guards, handler] as (Guard | Handler)[]);
  return (ctx, params) => {
    ctx.state.params = ctx.path.includes('%00') ? withoutNul(params) : params;
    ctx.state.route = path;
    return run(ctx);
  };
}

/** Normalises a path: `/v1/%6Dodels` is `/v1/models`. Null for a path whose escapes are not UTF-8. */
function withUsualEscapes(path: string): string | null {
  try {
    return path.split('/').map(decodeURIComponent).map(encodeURIComponent).join('/');
  } catch {
    return null;
  }
}

function hasLongSegment(path: string): boolean {
  return path.length > SEGMENT_CHARACTERS_MAX && path.split('/').some(({ length }) => length > SEGMENT_CHARACTERS_MAX);
}

/** No id or name is as long as what remains, so the route answers that there is none. */
function withShortSegments(path: string): string {
  const short = (segment: string) => decodeURIComponent(segment).slice(0, SEGMENT_CHARACTERS_MAX).toWellFormed();
  return path.split('/').map(short).map(encodeURIComponent).join('/');
}

// The database rejects NUL. Left escaped, it matches no name.
function withoutNul(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '%00')]));
}

/** The lines of the route table: path, guards in order, handler, documentation. A handler takes the input that the guards set. */

const route =
  (method: Route['method']) =>
  <Input>(path: string, guards: readonly Guard<Input>[], handler: Handler<NoInfer<Input>>, doc?: RouteDoc): Route => ({
    method,
    path,
    guards: closed({ method, path, guards, doc }),
    handler,
    doc,
  });

/**
 * The guards of a route, of which the last are about a body and members of the query, unless others read them, or the handler reads a form.
 * A route without guards serves everyone the same, so that a member can only be a number against caches.
 */
function closed<Input>({ method, path, guards, doc }: Closed<Input>): readonly Guard<Input>[] {
  if (guards.length === 0) return guards;
  const hasBody = method === 'GET' || doc?.form !== undefined || guards.some(({ refusals }) => refusals.includes(415));
  const hasQuery = guards.some(({ readsQuery }) => readsQuery);
  return [...guards, ...(hasBody ? [] : [closedBody(path)]), ...(hasQuery ? [] : [closedQuery(path)])];
}

type Closed<Input> = Pick<Route, 'method' | 'path' | 'doc'> & { guards: readonly Guard<Input>[] };

export const get = route('GET');
export const post = route('POST');
export const put = route('PUT');
export const patch = route('PATCH');
export const remove = route('DELETE');
