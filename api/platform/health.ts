import type { Handler } from '../context.ts';
import { overloaded } from '../errors/serviceErrors.ts';
import type { Services } from '../services.ts';

/** `GET /healthz`: the process runs. */
export const checkHealth: Handler = (ctx) => {
  ctx.body = { status: 'ok' };
};

/**
 * `GET /readyz`: the process can do its work: the database answers, and holds may be placed. 503 with `retry-after` otherwise. Without
 * Temporal it is ready: text is served, and runs are taken and begin when it is back; so how it is, is told but does not count.
 */
export function checkReadiness({ db, temporal }: Services): Handler {
  return async (ctx) => {
    try {
      await db.pool.query('select 1');
    } catch (error) {
      throw overloaded(1000, error);
    }
    if (!db.ledger.healthy()) throw overloaded();
    ctx.body = { status: 'ready', temporal: await temporal.state() };
  };
}
