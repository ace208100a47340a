import type { Command } from 'commander';
import type { Ledgerline, Run, StreamOptions } from '../../src/index.ts';
import { ExitCode } from '../exitCodes.ts';
import { Failure } from '../failure.ts';
import { wantsJson } from '../output.ts';
import { onInterrupt } from '../terminal/interrupts.ts';
import { Interrupted } from '../terminal/prompts.ts';
import { Questions } from './questions.ts';
import { jsonView, liveView } from './runView.ts';

export interface Following extends Pick<StreamOptions, 'lastEventId' | 'include'> {
  /** Ctrl-C cancels the run; otherwise it only leaves. */
  cancels: boolean;
}

/** Shows a run until its end, and asks what it asks. Resolves with the ended run; `throwUnless completed` says what an exit code says. */
export async function followRun(self: Command, client: Ledgerline, runId: string, following: Following): Promise<Run> {
  const isJson = wantsJson(self);
  const view = isJson ? jsonView() : liveView();
  const questions = new Questions(client, runId, { view, mayAsk: !isJson });
  const leaving = new AbortController();
  const interrupts = onInterrupt(
    () => {
      if (!following.cancels) return leaving.abort(new Interrupted());
      questions.close();
      view.note('Cancelling the run. Ctrl-C again leaves at once.');
      client.runs.cancel(runId).catch((error: Error) => view.note(error.message));
    },
    () => `The run may go on: see \`ledgerline runs get ${runId}\`.`,
  );
  const { lastEventId, include } = following;
  const stream = client.runs.stream(runId, { signal: leaving.signal, lastEventId, include });
  try {
    for await (const event of stream) {
      view.show(event);
      if (event.type === 'run.in_progress') questions.close();
      if (event.type === 'run.requires_action')
        questions.open().catch((error: Error) => {
          if (error instanceof Interrupted) interrupts.interrupt();
          else leaving.abort(error);
        });
    }
    const run = await stream.finalRun();
    view.end(run);
    if (interrupts.wasInterrupted() && run.status === 'cancelled') process.exitCode = ExitCode.interrupted;
    return run;
  } finally {
    view.pause();
    questions.close();
    interrupts.release();
  }
}

/** Ends a command as its run ended. Throws what the exit code says; a run that Ctrl-C has cancelled was expected. */
export function checkOutcome(run: Run): void {
  const { id, status, error, limit, status_reason } = run;
  if (status === 'completed') return;
  if (status === 'cancelled') {
    if (process.exitCode === ExitCode.interrupted) return;
    throw new Failure(`The run was cancelled${status_reason ? `: ${status_reason}` : ''}.`);
  }
  if (status === 'limit_reached')
    throw new Failure(
      `The run met its limit${limit ? ` of ${limit.kind.replaceAll('_', ' ')}: ${limit.value}` : ''}.`,
      {
        hint: `Go on with a higher limit: \`ledgerline runs rerun ${id} --from-step … --max-cost-usd …\`.`,
        exitCode: ExitCode.limitReached,
      },
    );
  throw new Failure(`The run failed${error ? `: ${error.message} (${error.code})` : ''}.`, {
    hint: `\`ledgerline runs get ${id}\` shows its steps; \`ledgerline runs rerun ${id} --from-step …\` repeats it from one of them.`,
  });
}
