import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { RUN_SEARCH_ATTRIBUTES, type RunResult, type RunState } from '../contract.ts';

/** What operators see of a run: a list by search attributes, and one page of text. */
export function createOperatorView(state: RunState) {
  function show(doing: string): void {
    state.doing = doing;
    setCurrentDetails(`${doing}\n\nStep ${state.step}, ${state.modelSteps} calls of the model so far.`);
  }

  return {
    show,
    /** A new status, by which runs can be listed. */
    status: (status: string, doing: string): void => {
      show(doing);
      upsertSearchAttributes({ [RUN_SEARCH_ATTRIBUTES.status]: [status] });
    },
    ended: ({ status, totalNanos }: RunResult): void => {
      show(`Ended: ${status}.`);
      upsertSearchAttributes({
        [RUN_SEARCH_ATTRIBUTES.status]: [status],
        [RUN_SEARCH_ATTRIBUTES.costUsd]: [Number(totalNanos) / 1e9],
      });
    },
  };
}

export type OperatorView = ReturnType<typeof createOperatorView>;
