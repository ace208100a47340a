import { allowOf } from '../../base/errors/requestErrors.ts';
import type { Context } from '../context.ts';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const PREFLIGHT_SECONDS = '86400';
const READABLE = [
  'x-request-id',
  'request-id',
  'x-api-version',
  'x-cost-usd',
  'character-cost',
  'x-truncated',
  'history-item-id',
  'x-should-retry',
  'retry-after',
  'retry-after-ms',
  'location',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'etag',
  'deprecation',
  'sunset',
  'link',
  'preference-applied',
  'idempotent-replayed',
  'allow',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-ratelimit-limit-concurrency',
  'x-ratelimit-remaining-concurrency',
  'x-limit-source',
  'x-limit-remaining-usd',
  'x-limit-resets-at',
].join(', ');

// The console's routes refuse other origins: they can neither send keys there nor read answers.
const isForOperators = ({ path }: Context): boolean => path.startsWith('/console/');

/**
 * Allows web pages of any origin to read an answer. The API has no cookies, so a page needs its user's key. The console's answers stay
 * closed to other origins.
 */
export function setCorsHeaders(ctx: Context): void {
  if (isForOperators(ctx)) return;
  ctx.res.setHeader('access-control-allow-origin', '*');
  ctx.res.setHeader('access-control-expose-headers', READABLE);
}

/** Whether a browser asks before a page's request. */
export const isPreflight = ({ req: { headers } }: Context): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/**
 * Answers OPTIONS, mostly a preflight request, of a path with these methods. Every header is allowed, because headers are checked later, when
 * they are read.
 */
export function answerPreflight(ctx: Context, methods: string[]): void {
  const wanted = ctx.req.headers['access-control-request-headers'];
  ctx.status = 204;
  if (methods.length > 0) ctx.res.setHeader('allow', allowOf(methods));
  if (isForOperators(ctx)) return;
  ctx.res.setHeader('access-control-allow-methods', METHODS);
  if (wanted !== undefined) ctx.res.setHeader('access-control-allow-headers', wanted);
  ctx.res.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
}
