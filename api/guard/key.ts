import type { IncomingHttpHeaders } from 'node:http';
import type { Keys } from '../../db/keys.ts';
import { invalidApiKey } from '../errors.ts';
import type { Guard } from '../context.ts';

/** Lets a request pass that carries a live key, in whichever header its client sends. 401 `invalid_api_key` otherwise. */
export function key(keys: Keys): Guard {
  return async (ctx, next) => {
    const secret = secretOf(ctx.req.headers);
    const found = secret === undefined ? null : keys.find(secret);
    const live = found instanceof Promise ? await found : found;
    if (!live) throw invalidApiKey();
    ctx.state.key = live;
    return next();
  };
}

/** The one key that a request carries. Two headers with different keys carry none: which was meant can't be told. */
function secretOf(headers: IncomingHttpHeaders): string | undefined {
  const bearer = headers.authorization;
  const sent = [
    bearer !== undefined && /^bearer /i.test(bearer) ? bearer.slice(7).trim() : undefined,
    headers['x-api-key'],
    headers['xi-api-key'],
  ].filter((secret) => typeof secret === 'string' && secret !== '') as string[];
  return sent.every((secret) => secret === sent[0]) ? sent[0] : undefined;
}
