import { linkTo, ONCE, shareOf, workspaceAttribute } from './start.ts';

/** The workflow of a batch, and its id. Its activities have a separate queue, so that they take no slots from runs. */
export const BATCH_WORKFLOW = 'batch';
export const BATCH_TASK_QUEUE = 'ledgerline-batches';
export const batchWorkflowId = (batchId: string): string => `batch/${batchId}`;

/** A position in a batch's file: the number of a line, from 1, and the offset of its beginning. */
export type BatchPlace = { line: number; offsetBytes: number };

/** `next`: the beginning of the lines that have not run; without it the file is checked first. */
export type BatchInput = { batchId: string; next?: BatchPlace };

/** How a batch ended. Lines are counted in its row. */
export type BatchResult = { status: string };

/** Options that start a batch's workflow, always the same. */
export function batchStartOf({ id, workspaceId }: { id: string; workspaceId: string }, consoleUrl?: string) {
  return {
    ...ONCE,
    workflowId: batchWorkflowId(id),
    args: [{ batchId: id }] as [BatchInput],
    staticSummary: `Batch ${id}`,
    staticDetails: `Checks the file, runs its lines in windows, writes the files of results.${linkTo(consoleUrl, `/batches/${id}`)}`,
    typedSearchAttributes: [workspaceAttribute(workspaceId)],
    priority: shareOf(workspaceId),
  };
}
