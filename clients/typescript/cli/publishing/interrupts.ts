import { onInterrupt } from '../terminal/interrupts.ts';
import { Interrupted } from '../terminal/prompts.ts';

/** Runs work until its end or Ctrl-C, which aborts the signal. `farewell` says what goes on then. */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  farewell: () => string = () => 'Left.',
): Promise<Result> {
  const controller = new AbortController();
  const interrupts = onInterrupt(() => controller.abort(new Interrupted()), farewell);
  try {
    return await work(controller.signal);
  } catch (error) {
    // What was aborted fails in its own way.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    interrupts.release();
  }
}
