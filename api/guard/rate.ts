import type { Key } from '../../db/keys.ts';
import type { Context, Guard } from '../context.ts';

/** Counts a request out again. */
export type Release = () => void;

/** Requests a minute and requests in flight, counted for each key. */
export interface Limits {
  /** Counts a request in and sets the headers that tell what is left. Throws the two 429s, which take nothing. */
  enter(ctx: Context, key: Key): Release | Promise<Release>;
  /** Sets those headers without counting: for what was refused before it was counted. */
  tell(ctx: Context, key: Key): void | Promise<void>;
  /** The tier of a key without limits of its own. */
  defaults: { rpm: number; concurrency: number };
  close(): Promise<void>;
}

/** Counts a request against its key's limits until its answer has ended or its client is gone. */
export function rate(limits: Limits): Guard {
  return (ctx, next) => {
    const entered = limits.enter(ctx, ctx.state.key);
    return entered instanceof Promise ? entered.then((leave) => run(ctx, leave, next)) : run(ctx, entered, next);
  };
}

function run(ctx: Context, leave: Release, next: () => Promise<void>): Promise<void> {
  // A client that left while its key was looked up is not heard leaving again, and nobody waits for an answer.
  if (ctx.res.destroyed) {
    leave();
    ctx.state.log.cancelled = true;
    return Promise.resolve();
  }
  // Not `once`: its wrapper outlives the request in the old generation, and keeps all of the request with it.
  ctx.res.on('close', leave);
  return next();
}
