import { Context } from '@temporalio/activity';
import type { Notices } from '../../db/postgres/notices.ts';

// On Temporal Cloud each heartbeat is an action: cancellations are noticed by other means, and through its answer at the latest.
const HEARTBEAT_MS = 2_500;

/** Why an activity has to stop. `lost`: this worker shuts down, or the server has reassigned the activity to another worker. */
export type Called = 'cancelled' | 'lost';

/** What an activity and its server tell each other, over all steps of it: heartbeats, and that it has to stop. */
export interface Contact {
  isStopped(): boolean;
  /** Calls `listener` once for each reason to stop, also for those of before. Returns how to end that. */
  onStop(listener: (why: Called) => void): () => void;
  /** What the next heartbeats say. */
  report(progress: () => object): void;
  /** Ends the heartbeats. */
  close(): void;
}

/** Sends heartbeats and handles their answers, and notices of the run's cancellation, which come sooner. */
export function openContact({ runId, notices }: { runId: string; notices: Pick<Notices, 'listen'> }): Contact {
  const context = Context.current();
  const heard = new Set<Called>();
  const listeners = new Set<(why: Called) => void>();
  let progress: () => object = () => ({});

  function hear(why: Called): void {
    if (heard.has(why)) return;
    heard.add(why);
    for (const listener of listeners) listener(why);
  }

  const onCancel = (): void => hear(context.cancellationDetails?.cancelRequested ? 'cancelled' : 'lost');
  if (context.cancellationSignal.aborted) onCancel();
  else context.cancellationSignal.addEventListener('abort', onCancel, { once: true });
  const unlisten = notices.listen((notice) => {
    if (notice.kind === 'run-cancelled' && notice.runId === runId) hear('cancelled');
  });
  const beat = setInterval(() => context.heartbeat(progress()), HEARTBEAT_MS);
  return {
    isStopped: () => heard.size > 0,
    onStop: (listener) => {
      for (const why of heard) listener(why);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    report: (next) => void (progress = next),
    close: () => {
      clearInterval(beat);
      unlisten();
      context.cancellationSignal.removeEventListener('abort', onCancel);
    },
  };
}
