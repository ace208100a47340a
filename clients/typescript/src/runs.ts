import type { Context } from './client.ts';
import { RunRequiresActionError } from './errors.ts';
import { RunStream, type StreamOptions } from './runStream.ts';
import type { RequiredAction, Run, RunAnswer, RunEvent, Schemas } from './types.ts';

/** One answer to an action, with its type; a text alone answers a question. */
export type ActionAnswer = string | Exclude<RunAnswer, { answers: unknown }>;

/**
 * Answers what a run asks. Without an answer the run goes on waiting, for somebody who answers elsewhere, or for the end of its time.
 */
export type OnAction = (
  action: RequiredAction,
  run: Run,
) => ActionAnswer | undefined | void | Promise<ActionAnswer | undefined | void>;

export interface WaitOptions extends Pick<StreamOptions, 'signal'> {
  /** Answers what the run asks. Without it, a run that waits for an answer throws `RunRequiresActionError`. */
  onAction?: OnAction;
  /** Gets each event, once and in order. */
  onEvent?: (event: RunEvent) => void;
  /** Cancels the run when `signal` is aborted. */
  cancelOnAbort?: boolean;
}

export interface Runs {
  /** Reads a run. */
  get(run: string | Run): Promise<Run>;
  /** The events of a run until its end, across lost connections: `for await (const event of client.runs.stream(id))`. */
  stream(run: string | Run, options?: StreamOptions): RunStream;
  /** Resolves with the run when it has ended, in whichever state. */
  wait(run: string | Run, options?: WaitOptions): Promise<Run>;
  /** Answers what a run waits for: a text, one answer, or several at once. */
  answer(run: string | Run, answer: ActionAnswer | ActionAnswer[]): Promise<Run>;
  /** Stops a run. What it has used so far is paid. */
  cancel(run: string | Run, order?: Schemas['RunCancellation']): Promise<Run>;
}

const idOf = (run: string | Run): string => (typeof run === 'string' ? run : run.id);
const at = (run: string | Run) => ({ path: { run_id: idOf(run) } });
const typed = (answer: ActionAnswer) => (typeof answer === 'string' ? { type: 'text' as const, text: answer } : answer);

export function createRuns(context: Context): Runs {
  const { api } = context;

  const runs: Runs = {
    get: async (run) => (await api.GET('/v1/runs/{run_id}', { params: at(run) })).data,
    stream: (run, options) => new RunStream(context, idOf(run), options),
    cancel: async (run, order = {}) =>
      (await api.POST('/v1/runs/{run_id}/cancel', { params: at(run), body: order })).data,
    async answer(run, answer) {
      const body = Array.isArray(answer) ? { answers: answer.map(typed) } : typed(answer);
      return (await api.POST('/v1/runs/{run_id}/input', { params: at(run), body })).data;
    },
    async wait(run, { signal, onAction, onEvent, cancelOnAbort = false } = {}) {
      // The other groups of events are not needed to see the end.
      const stream = runs.stream(run, { signal, ...(!onEvent && { include: ['cost'] }) });
      const asked = new Set<string>();
      try {
        for await (const event of stream) {
          onEvent?.(event);
          if (event.type === 'run.requires_action') await answerOpen(runs, idOf(run), { onAction, asked });
        }
      } catch (error) {
        // An answer that does not come must not hide the abort.
        if (signal?.aborted && cancelOnAbort) await runs.cancel(run).catch(() => {});
        throw error;
      }
      return stream.finalRun();
    },
  };
  return runs;
}

/** Asks for what is open now: the event may be old. Nothing is asked twice. */
async function answerOpen(
  runs: Runs,
  runId: string,
  { onAction, asked }: { onAction: OnAction | undefined; asked: Set<string> },
): Promise<void> {
  const run = await runs.get(runId);
  if (run.status !== 'requires_action') return;
  if (!onAction) throw new RunRequiresActionError(run);
  for (const action of run.required_actions) {
    const name = action.step_id ?? `${action.type} ${action.max_cost_usd ?? action.secret ?? action.plugin}`;
    if (asked.has(name)) continue;
    asked.add(name);
    const answer = await onAction(action, run);
    if (answer) await runs.answer(runId, { step_id: action.step_id, ...typed(answer) });
  }
}
