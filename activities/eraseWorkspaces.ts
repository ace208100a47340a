import { Context, log } from '@temporalio/activity';
import { eraseWorkspace, listDueErasures } from '../db/erasure/eraseWorkspace.ts';
import type { EraseResult } from '../contracts/erasure.ts';
import { endCheckouts } from '../providers/payments/endCheckouts.ts';
import type { RunDependencies } from './dependencies.ts';
import type { PaymentDependencies } from './payments.ts';

/** Erases each workspace whose erasure is due. Idempotent; a failure does not stop the others, and is retried by the next call. */
export function createEraseWorkspaces({
  db,
  workflows,
  payments,
}: Pick<RunDependencies, 'db' | 'workflows'> & Pick<PaymentDependencies, 'payments'>): () => Promise<EraseResult> {
  return async () => {
    const { heartbeat } = Context.current();
    const done = { erased: 0, waiting: 0 };
    for (const erasure of await listDueErasures(db)) {
      const { id, workspaceId } = erasure;
      try {
        const isErased = await eraseWorkspace(db, erasure, {
          deleteHistories: (of) => workflows.deleteHistories(of, heartbeat),
          endPayments: (of) => (payments ? endCheckouts(db, payments, of) : Promise.resolve()),
          onProgress: heartbeat,
        });
        done[isErased ? 'erased' : 'waiting'] += 1;
        if (isErased) log.info('a workspace was erased', { event: 'workspace_erased', id, workspaceId });
      } catch (error) {
        done.waiting += 1;
        log.error('a workspace could not be erased; it is tried again', { event: 'erasure_failed', id, error });
      }
    }
    return done;
  };
}
