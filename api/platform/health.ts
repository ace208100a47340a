import { oneAtATime } from '../../db/oneAtATime.ts';
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
export function checkReadiness(services: Pick<Services, 'db' | 'temporal'>): Handler {
  // Nobody needs a key to ask: those who ask at one time share one look, or a flood of them would make the ledger wait for connections.
  const look = oneAtATime<void, object>(() => lookAt(services));
  return async (ctx) => {
    ctx.body = await look();
  };
}

async function lookAt({ db, temporal }: Pick<Services, 'db' | 'temporal'>): Promise<object> {
  try {
    await db.pool.query('select 1');
  } catch (error) {
    throw overloaded(1000, error);
  }
  if (!db.ledger.healthy()) throw overloaded();
  return { status: 'ready', temporal: await temporal.state() };
}
