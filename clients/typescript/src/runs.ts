import type { Context } from './context.ts';
import { APIError, RunRequiresActionError } from './errors.ts';
import { RunStream, type StreamOptions } from './runStream.ts';
import type { RequiredAction, Run, RunAnswer, RunEvent, Schemas } from './types.ts';

/** One answer to an action, with its type; a text alone answers a question. */
export type ActionAnswer = string | Exclude<RunAnswer, { answers: unknown }>;

type MaybeAnswer = ActionAnswer | undefined | void;
/** Answers what a run asks. Without an answer the run waits on, for somebody who answers elsewhere, or for the end of its time. */
export type OnAction = (action: RequiredAction, run: Run) => MaybeAnswer | Promise<MaybeAnswer>;

export interface WaitOptions extends Pick<StreamOptions, 'signal'> {
  /** Answers what the run asks. Without it, a run that waits for an answer throws `RunRequiresActionError`. */
  onAction?: OnAction;
  /** Gets each event, once and in order. */
  onEvent?: (event: RunEvent) => void;
  /** Cancels the run when `signal` is aborted. */
  cancelOnAbort?: boolean;
}

/** A run, or its id. */
type AnyRun = string | Pick<Run, 'id'>;
const idOf = (run: AnyRun): string => (typeof run === 'string' ? run : run.id);
const at = (run: AnyRun) => ({ path: { run_id: idOf(run) } });
const typed = (answer: ActionAnswer) => (typeof answer === 'string' ? { type: 'text' as const, text: answer } : answer);

export class Runs {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Reads a run. */
  async get(run: AnyRun): Promise<Run> {
    return (await this.#context.api.GET('/v1/runs/{run_id}', { params: at(run) })).data;
  }

  /** The events of a run until its end, across lost connections: `for await (const event of client.runs.stream(id))`. */
  stream(run: AnyRun, options?: StreamOptions): RunStream {
    return new RunStream(this.#context, idOf(run), options);
  }

  /** Answers what a run waits for: a text, one answer, or several at once. */
  async answer(run: AnyRun, answer: ActionAnswer | ActionAnswer[]): Promise<Run> {
    const body = Array.isArray(answer) ? { answers: answer.map(typed) } : typed(answer);
    return (await this.#context.api.POST('/v1/runs/{run_id}/input', { params: at(run), body })).data;
  }

  /** Stops a run. What it has used so far is paid. */
  async cancel(run: AnyRun, order: Schemas['RunCancellation'] = {}): Promise<Run> {
    return (await this.#context.api.POST('/v1/runs/{run_id}/cancel', { params: at(run), body: order })).data;
  }

  /** Resolves with the run when it has ended, in whichever state. */
  async wait(run: AnyRun, { signal, onAction, onEvent, cancelOnAbort = false }: WaitOptions = {}): Promise<Run> {
    // The other groups of events are not needed to see the end.
    const stream = this.stream(run, { signal, ...(!onEvent && { include: ['cost'] }) });
    const asked = new Set<string>();
    try {
      for await (const event of stream) {
        onEvent?.(event);
        if (event.type === 'run.requires_action') await this.#answerOpen(run, asked, onAction);
      }
      return await stream.finalRun();
    } catch (error) {
      // A cancellation that fails must not hide the abort.
      if (signal?.aborted && cancelOnAbort) await this.cancel(run).catch(() => {});
      // Events are deleted some weeks after the end.
      if (error instanceof APIError && error.code === 'event_expired') return this.get(run);
      throw error;
    }
  }

  /** Asks for what is open now: the event may be old. Nothing is asked twice. */
  async #answerOpen(id: AnyRun, asked: Set<string>, onAction: OnAction | undefined): Promise<void> {
    const run = await this.get(id);
    if (run.status === 'requires_action' && !onAction) throw new RunRequiresActionError(run);
    for (const action of run.required_actions) {
      const name = action.step_id ?? [action.type, action.max_cost_usd, action.plugin, action.secret].join(' ');
      if (asked.has(name)) continue;
      asked.add(name);
      const answer = await onAction?.(action, run);
      if (answer) await this.answer(id, { step_id: action.step_id, ...typed(answer) });
    }
  }
}
