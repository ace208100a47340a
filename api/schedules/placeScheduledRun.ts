import type { AgentModels } from '../../db/agents/agentModels.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import type { Key } from '../../db/keys/keys.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { scopeNotAllowed } from '../../base/errors/keyErrors.ts';
import { asApiError } from '../guard/errors.ts';
import { hasScope } from '../../db/keys/scopes.ts';
import type { Context } from '../context.ts';
import { placeRun, type RunServices } from '../runs/createRun.ts';
import { RunOrder } from '../runs/runSchema.ts';

/** Why a scheduled run was refused, as a live call would be. */
interface Refusal {
  status: number;
  code: string;
  message: string;
}

/**
 * Creates runs of schedules, in a worker: as `POST /v1/runs` does, with its checks and its hold. Throws when the platform failed: then nothing was
 * created, and the firing is to be tried again.
 */
export function createScheduledRunPlacer(services: {
  db: Database;
  agentModels: AgentModels;
  config: RunServices['config'];
  startRun: (run: RunRow) => Promise<void>;
  cancelRun: (runId: string) => Promise<void>;
  onFailure: (err: unknown, runId: string) => void;
}) {
  // The sweep delivers what fails here.
  const inBackground = (runId: string, work: Promise<void>) =>
    void work.catch((err: unknown) => services.onFailure(err, runId));
  const runStarter = {
    start: (run: RunRow) => inBackground(run.id, services.startRun(run)),
    cancel: (run: RunRow) => inBackground(run.id, services.cancelRun(run.id)),
  };
  const own: RunServices = { ...services, runStarter };

  return async (
    order: object,
    { key, runId }: { key: Key; runId: string },
  ): Promise<{ run: RunRow } | { miss: Refusal }> => {
    const requestId = newId('req');
    const ctx = { state: { key, requestId, resourceId: runId, log: {} } } as unknown as Context;
    try {
      if (!hasScope(key, 'agents')) throw scopeNotAllowed('agents');
      return { run: await placeRun(ctx, own, { ...RunOrder.parse(order), source: 'schedule' }) };
    } catch (error) {
      const { status, code, message } = asApiError(error, requestId);
      if (status >= 500) throw error;
      return { miss: { status, code, message } };
    }
  };
}
