import { linkTo, TASK_QUEUE, workspaceAttribute } from './start.ts';

/** The workflow of a batch, and its id. Its activities have a queue of their own, so that they take no place from runs. */
export const BATCH_WORKFLOW = 'batch';
export const BATCH_TASK_QUEUE = 'ledgerline-batches';
export const batchWorkflowId = (batchId: string): string => `batch/${batchId}`;

/** A place in a batch's file: the number of a line, from 1, and where it begins. */
export type BatchPlace = { line: number; offsetBytes: number };

/** `next`: where the lines that have not run begin; without it the file is checked first. */
export type BatchInput = { batchId: string; next?: BatchPlace };

/** How a batch ended. Lines are counted in its row. */
export type BatchResult = { status: string };

/** Options that start a batch's workflow, always the same: a second start finds the first, and one that was terminated continues. */
export function batchStartOf({ id, workspaceId }: { id: string; workspaceId: string }, consoleUrl?: string) {
  return {
    workflowId: batchWorkflowId(id),
    taskQueue: TASK_QUEUE,
    args: [{ batchId: id }] as [BatchInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    staticSummary: `Batch ${id}`,
    staticDetails: `Checks the file, runs its lines in windows, writes the files of results.${linkTo(consoleUrl, `/batches/${id}`)}`,
    typedSearchAttributes: [workspaceAttribute(workspaceId)],
  };
}
