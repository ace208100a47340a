import type { Client, WorkflowHandle } from '@temporalio/client';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** The histories of a workflow in their order: a long one continues as new. */
export async function historiesOf({ workflow }: Client, workflowId: string): Promise<History[]> {
  const histories: History[] = [];
  for (let runId: string | undefined; ;) {
    const history = await workflow.getHandle(workflowId, runId).fetchHistory();
    histories.unshift(history);
    runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
    if (runId === undefined) return histories;
  }
}
