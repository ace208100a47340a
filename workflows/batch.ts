import {
  CancellationScope,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { BatchActivities } from '../activities/index.ts';
import { BATCH_TASK_QUEUE, type BatchInput, type BatchPlace, type BatchResult } from '../contracts/batch.ts';

const BEGINNING: BatchPlace = { line: 1, offsetBytes: 0 };

/**
 * A batch: its file is checked, its lines run in windows, one activity each, and their results are written to files. Lines and results stay
 * in the database: the history has each window's position in the file, and continues as new before it becomes long.
 */
export function batch(input: BatchInput): Promise<BatchResult> {
  // A cancellation in Temporal counts as the batch's caller's: running lines are finished, and results are written.
  CancellationScope.current().cancelRequested.catch(() =>
    CancellationScope.nonCancellable(() => calls.cancel(input.batchId)),
  );
  return CancellationScope.nonCancellable(() => batchToItsEnd(input));
}

async function batchToItsEnd({ batchId, next }: BatchInput): Promise<BatchResult> {
  if (!next && !(await calls.validate(batchId))) return { status: 'failed' };
  for (let at = next ?? BEGINNING; ;) {
    setCurrentDetails(`Runs lines from line ${at.line} on.`);
    const window = await calls.runLines({ batchId, next: at });
    // Histories of earlier versions lack this window.
    if (window.partId !== undefined) {
      await partToItsEnd({ batchId, next: at }, window.partId);
      continue;
    }
    if (window.ending) {
      setCurrentDetails('Writes the files of results.');
      const { ending, restCode } = window;
      return { status: await calls.writeFiles({ batchId, ending, restCode }) };
    }
    at = window.next!;
    await beginNewHistory({ batchId, next: at });
  }
}

/** Waits for the results of lines that are at their upstream. */
async function partToItsEnd(place: BatchInput, partId: string): Promise<void> {
  setCurrentDetails('Lines are at their upstream, as a batch there.');
  for (;;) {
    const { delayMs } = await calls.watchPart({ batchId: place.batchId, partId });
    if (delayMs === null) return;
    await sleep(delayMs);
    await beginNewHistory(place);
  }
}

async function beginNewHistory(place: BatchInput): Promise<void> {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  if (continueAsNewSuggested || historyLength > HISTORY_EVENTS_MAX) await continueAsNew<typeof batch>(place);
}

// A few hundred windows. Temporal suggests it at four thousand events, and refuses more than fifty thousand.
const HISTORY_EVENTS_MAX = 2_000;

// A batch waits for a database or a worker without limit: its own expiry ends it.
const { cancelBatch, runBatchLines, validateBatch, watchBatchPart, writeBatchFiles } = proxyActivities<BatchActivities>(
  {
    taskQueue: BATCH_TASK_QUEUE,
    startToCloseTimeout: '1h',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
  },
);

type Order<Name extends keyof BatchActivities> = Parameters<BatchActivities[Name]>[0];

/** The activities of a batch, with the summary that operators read. */
const calls = {
  validate: (batchId: string) => validateBatch.executeWithOptions({ summary: 'Check the file' }, [batchId]),

  runLines: (order: Order<'runBatchLines'>) =>
    runBatchLines.executeWithOptions({ summary: `Run lines from line ${order.next.line} on` }, [order]),

  watchPart: (order: Order<'watchBatchPart'>) =>
    watchBatchPart.executeWithOptions({ summary: `Ask the upstream for the results of ${order.partId}` }, [order]),

  writeFiles: (order: Order<'writeBatchFiles'>) =>
    writeBatchFiles.executeWithOptions({ summary: `Write the files of results: ${order.ending}` }, [order]),

  cancel: (batchId: string) =>
    cancelBatch.executeWithOptions({ summary: 'Cancel the batch, as its caller could' }, [batchId]),
};
