import type { Key } from '../../db/keys.ts';
import type { Context, Guard } from '../context.ts';

/** Releases a request's slot. */
export type Release = () => void;

/** Requests per minute and concurrent requests, counted for each key. */
export interface Limits {
  /** Counts a request and sets the rate-limit headers. Throws the two 429s, which use nothing of the limits. */
  enter(ctx: Context, key: Key): Release | Promise<Release>;
  /** Sets the headers without counting: for requests that are refused before they are counted. */
  tell(ctx: Context, key: Key): void | Promise<void>;
  /** The limits of a key that has none of its own. */
  defaults: { rpm: number; concurrency: number };
  close(): Promise<void>;
}

/** Counts a request against its key's limits until its answer has ended or its client has disconnected. */
export function rate(limits: Limits): Guard {
  return (ctx, next) => {
    const entered = limits.enter(ctx, ctx.state.key);
    return entered instanceof Promise ? entered.then((leave) => run(ctx, leave, next)) : run(ctx, entered, next);
  };
}

function run(ctx: Context, leave: Release, next: () => Promise<void>): Promise<void> {
  // No close event follows for a client that disconnected while its key was looked up, so its slot is released here.
  if (ctx.res.destroyed) {
    leave();
    ctx.state.log.cancelled = true;
    return Promise.resolve();
  }
  // Not `once`: its wrapper outlives the request in the old generation and keeps the whole request in memory.
  ctx.res.on('close', leave);
  return next();
}
