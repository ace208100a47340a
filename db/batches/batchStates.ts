import type { BatchError } from '../entities/batch.ts';
import { newId } from '../ids.ts';
import { recordEvent } from '../events/platformEvents.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import type { BatchRow } from './batches.ts';

type Everywhere = Rows<undefined>;

/**
 * The transitions that a batch's workflow makes. Each is idempotent, because an activity may be repeated:
 *
 * - validating -> in_progress | failed
 * - in_progress -> finalizing -> completed
 * - in_progress -> expired
 * - validating, in_progress -> cancelling (by its caller) -> cancelled
 */

/** The batch's lines are valid, cost at most `worstCaseNanos`, and may run. A batch that is being cancelled keeps its state. */
export function beginBatch(
  everywhere: Everywhere,
  id: string,
  total: number,
  worstCaseNanos: bigint,
): Promise<BatchRow> {
  return everywhere.transaction(async ({ em, Batch, sql }) => {
    await em.nativeUpdate(Batch, { id, endedAt: null }, { total, worstCaseNanos });
    const begun = { status: 'in_progress', inProgressAt: sql`ledger_now(workspace_id)` } as const;
    await em.nativeUpdate(Batch, { id, status: 'validating' }, begun);
    return em.findOneOrFail(Batch, { id });
  });
}

/** The batch's file cannot be run. Also ends a batch that is being cancelled: no line of it has run. */
export function failBatch(everywhere: Everywhere, id: string, errors: BatchError[]): Promise<void> {
  return everywhere.transaction((tx) => endBatch(tx, id, { status: 'failed', errors }));
}

/** The end of a batch whose lines have run: completed, unless it was cancelled or expired before its last line. */
export type BatchEnding = 'completed' | 'cancelled' | 'expired';

/**
 * The ids of a batch's result files, and why its other lines did not run: always the same for one batch, so that a repeated activity, or a
 * workflow that was started again, writes the same files.
 */
export function beginWriting(
  everywhere: Everywhere,
  id: string,
  { ending, restCode }: { ending: BatchEnding; restCode?: string | undefined },
): Promise<{ batch: BatchRow; outputFileId: string; errorFileId: string }> {
  return everywhere.transaction(async ({ em, Batch, sql }) => {
    if (ending === 'completed') {
      const finalizing = { status: 'finalizing', finalizingAt: sql`ledger_now(workspace_id)` } as const;
      await em.nativeUpdate(Batch, { id, status: 'in_progress' }, finalizing);
    }
    const first = { outputFileId: newId('file'), errorFileId: newId('file'), restCode: restCode ?? null };
    await em.nativeUpdate(Batch, { id, outputFileId: null, endedAt: null }, first);
    const batch = await em.findOneOrFail(Batch, { id });
    return { batch, outputFileId: batch.outputFileId!, errorFileId: batch.errorFileId! };
  });
}

/** The files written of a batch's results. A file without lines does not exist. */
export interface WrittenBatch {
  ending: BatchEnding;
  failed: number;
  hasOutput: boolean;
  hasErrors: boolean;
}

/** Ends a batch with its files, and records the event of its end. */
export function finishBatch(everywhere: Everywhere, id: string, written: WrittenBatch): Promise<void> {
  return everywhere.transaction(async (tx) => {
    const missing = {
      ...(!written.hasOutput && { outputFileId: null }),
      ...(!written.hasErrors && { errorFileId: null }),
    };
    await endBatch(tx, id, { status: written.ending, failed: written.failed, ...missing });
  });
}

type Ending = { status: BatchEnding | 'failed' } & Partial<Omit<BatchRow, 'status'>>;

async function endBatch(tx: AnyTransaction, id: string, ending: Ending): Promise<void> {
  const { em, Batch, sql } = tx;
  if (
    (await em.nativeUpdate(Batch, { id, endedAt: null }, { ...ending, endedAt: sql`ledger_now(workspace_id)` })) === 0
  )
    return;
  const { workspaceId } = await em.findOneOrFail(Batch, { id });
  await recordEvent(tx, workspaceId, {
    type: `batch.${ending.status}`,
    resourceType: 'batch',
    resourceId: id,
    data: { id },
  });
}
