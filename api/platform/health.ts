import { oneAtATime } from '../../base/waiting.ts';
import type { Handler } from '../context.ts';
import { notReady } from '../../base/errors/serviceErrors.ts';
import type { Services } from '../services.ts';
import type { Readiness, Status } from './healthDocs.ts';
import type { z } from 'zod';

/** `GET /healthz`: the process runs. */
export const checkHealth: Handler = (ctx) => {
  ctx.body = { status: 'ok' } satisfies z.infer<typeof Status>;
};

/**
 * `GET /readyz`: the database answers on every pool, and holds can be placed. Once that has failed for five seconds, 503 with `retry-after`
 * and the names of the failing parts. The state of Temporal is reported but does not count: without it text is served, and runs are accepted and start later. A process
 * that is shutting down is not ready.
 */
export function checkReadiness(services: Pick<Services, 'db' | 'temporal' | 'shutdown'>): Handler {
  // No key is required, so concurrent requests share one check: a flood of them must not use up the ledger's connections.
  const look = oneAtATime<void, z.infer<typeof Readiness>>(() => checkParts(services));
  return async (ctx) => {
    if (services.shutdown.hasBegun()) throw notReady('shutdown');
    ctx.body = await look();
  };
}

async function checkParts(
  services: Pick<Services, 'db' | 'temporal' | 'shutdown'>,
): Promise<z.infer<typeof Readiness>> {
  const faults = await findFaults(services);
  if (faults.length > 0) throw notReady(faults.join(', '));
  return { status: 'ready', temporal: await services.temporal.state() };
}

/** The faults that keep this process from serving: those of the database once they last. */
export async function findFaults({ db, shutdown }: Pick<Services, 'db' | 'shutdown'>): Promise<string[]> {
  return shutdown.hasBegun() ? ['shutdown'] : db.findFaults();
}
