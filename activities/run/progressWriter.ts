import { log } from '@temporalio/activity';
import type { NewEvent } from '../../db/events/appendEvents.ts';
import type { BegunStep } from '../../db/runs/stepFacts.ts';
import { StepLost } from '../../db/runs/steps/steps.ts';
import { storableText } from '../../base/json.ts';
import type { ToolProgress } from '../../tools/tool.ts';

const PAUSE_MS = 500;
// Of one attempt: a tool that reports more keeps working, unseen.
const EVENTS_MAX = 200;

/** Writes what a tool says of its work as events of its step. */
export interface ProgressWriter {
  add: (progress: ToolProgress) => void;
  /** Writes what is pending. Throws `StepLost`. */
  end(): Promise<void>;
  /** Aborted when another worker carries the step. */
  failed: AbortSignal;
}

/** Writes the first report at once, and then the latest one, at most two in a second. */
export function createProgressWriter(
  { id: step_id, attempt, name }: BegunStep,
  { write, pauseMs = PAUSE_MS }: { write: (event: NewEvent) => Promise<void>; pauseMs?: number },
): ProgressWriter {
  const failed = new AbortController();
  let pending: ToolProgress | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let count = 0;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (writing || !pending || count >= EVENTS_MAX || failed.signal.aborted) return;
    const { message, percentage } = pending;
    pending = undefined;
    count += 1;
    const data = { step_id, attempt, tool: name, message: storableText(message), percentage };
    writing = write({ type: 'run.tool.progress', data })
      .catch(onError)
      .finally(() => {
        writing = undefined;
        timer = setTimeout(flush, pauseMs);
      });
  }

  // The work goes on without a report that could not be stored.
  function onError(error: unknown): void {
    if (error instanceof StepLost) failed.abort(error);
    else log.warn('the progress of a tool was not stored', { error });
  }

  function add(progress: ToolProgress): void {
    pending = progress;
    if (!timer) flush();
  }

  async function end(): Promise<void> {
    await writing;
    flush();
    await writing;
    clearTimeout(timer);
    failed.signal.throwIfAborted();
  }

  return { add, end, failed: failed.signal };
}
