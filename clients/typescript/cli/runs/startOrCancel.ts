import type { Ledgerline, Run } from '../../src/index.ts';
import { say } from '../output.ts';
import { onInterrupt } from '../terminal/interrupts.ts';
import { Interrupted } from '../terminal/prompts.ts';

/** Ctrl-C while an order is on its way cancels the run that it may have become. */
export async function startOrCancel(client: Ledgerline, order: (signal: AbortSignal) => Promise<Run>): Promise<Run> {
  const leaving = new AbortController();
  const interrupts = onInterrupt(
    () => {
      say('Cancelling the order. Ctrl-C again leaves at once.');
      leaving.abort(new Interrupted());
    },
    () => 'The run may go on: see `ledgerline runs list`.',
  );
  try {
    const run = await order(leaving.signal);
    if (!leaving.signal.aborted) return run;
    await client.runs.cancel(run.id);
    throw leaving.signal.reason;
  } finally {
    interrupts.release();
  }
}
