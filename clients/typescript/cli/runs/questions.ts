import { APIError, InvalidRequestError, type Ledgerline, type RequiredAction } from '../../src/index.ts';
import { ExitCode } from '../exitCodes.ts';
import { Failure } from '../failure.ts';
import { err } from '../terminal/colors.ts';
import { canAsk } from '../terminal/terminal.ts';
import { answerTo } from './answerTo.ts';
import type { RunView } from './runView.ts';

/** Asks at the prompt what a run waits for, until everything is answered here or elsewhere. */
export class Questions {
  readonly #client: Ledgerline;
  readonly #runId: string;
  readonly #view: RunView;
  readonly #mayAsk: boolean;
  #asking: AbortController | undefined;
  #isAgain = false;

  constructor(client: Ledgerline, runId: string, { view, mayAsk }: { view: RunView; mayAsk: boolean }) {
    [this.#client, this.#runId, this.#view, this.#mayAsk] = [client, runId, view, mayAsk && canAsk()];
  }

  /** Asks for everything that is open. Rejects when nobody is there to answer. */
  async open(): Promise<void> {
    if (this.#asking) {
      this.#isAgain = true;
      return;
    }
    const asking = new AbortController();
    this.#asking = asking;
    try {
      do {
        this.#isAgain = false;
        await this.#askAll(asking.signal);
      } while (this.#isAgain && !asking.signal.aborted);
    } catch (error) {
      if (!asking.signal.aborted) throw error;
    } finally {
      this.#asking = undefined;
    }
  }

  /** The run goes on: somebody else has answered, or the time was up. */
  close(): void {
    this.#asking?.abort();
  }

  async #askAll(signal: AbortSignal): Promise<void> {
    const asked = new Set<string>();
    for (;;) {
      const run = await this.#client.runs.get(this.#runId);
      if (run.status !== 'requires_action') return;
      const action = run.required_actions.find((one) => !asked.has(nameOf(one)));
      if (!action) return;
      asked.add(nameOf(action));
      if (!isGivenHere(action)) this.#view.note(`${action.message ?? 'A plugin needs something'}: ${action.url ?? ''}`);
      else if (this.#mayAsk) await this.#ask(action, signal);
      else throw waitsForAnswer(this.#runId, action);
    }
  }

  /** Asks until the service takes the answer. */
  async #ask(action: RequiredAction, signal: AbortSignal): Promise<void> {
    for (;;) {
      this.#view.pause();
      const answer = await answerTo(action, signal);
      try {
        await this.#client.runs.answer(this.#runId, { ...answer, step_id: action.step_id });
        return;
      } catch (error) {
        if (error instanceof APIError && error.status === 409) return this.#view.note(err.dim(error.message));
        if (!(error instanceof InvalidRequestError)) throw error;
        this.#view.note(err.red(error.message));
      }
    }
  }
}

const nameOf = ({ step_id, type, plugin = '', secret = '' }: RequiredAction): string =>
  step_id ?? `${type} ${plugin} ${secret}`;

const isGivenHere = ({ type }: RequiredAction): boolean => !type.startsWith('plugin_');

function waitsForAnswer(runId: string, { type, question, name }: RequiredAction): Failure {
  const what = question ?? (type === 'tool_approval' ? `May it call ${name}?` : type.replace('_', ' '));
  return new Failure(`The run ${runId} waits for an answer: ${what}`, {
    hint: `Answer with \`ledgerline runs answer ${runId} …\`, then go on with \`ledgerline runs events ${runId} --follow\`.`,
    exitCode: ExitCode.waiting,
  });
}
