import type { RunResult, RunState } from '../../contracts/run.ts';

/** What the run was told so far: how often something that it may wait for, and which runs of other agents have ended. */
export interface Told {
  received: number;
  ended: Set<string>;
}

/** A run while its workflow works on it. */
export interface Job {
  runId: string;
  /** `step` is the number of the last step. */
  state: RunState;
  view: OperatorView;
  answers: Told;
  /** More than the usual bound where the agent's version says so. */
  modelStepsMax: number;
  /** Set once the run has begun. Time spent waiting for the caller is excluded. */
  deadlineMs: number | undefined;
}

/** What operators see of a run: search attributes for lists, and one page of text. */
export interface OperatorView {
  show: (doing: string) => void;
  /** Links the workflow of an agent that the run has called. */
  called: (childId: string) => void;
  /** Sets the status, by which runs can be filtered. */
  status: (status: string, doing: string) => void;
  ended: (result: RunResult) => void;
}

/** A call by the model that is a step of its run. `needsApproval`: only after its caller has approved it. */
export interface CalledTool {
  step: number;
  name: string;
  needsApproval?: boolean;
}
