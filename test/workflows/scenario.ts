import type { RunRow } from '../../db/runs/runRow.ts';
import type { RunStage } from '../support/runStage.ts';

/** One path through a run: the expected end, and the steps to it. */
export interface Scenario {
  promise: string;
  /** Columns of the run's row at its end. */
  ends: Partial<Record<keyof RunRow, unknown>>;
  /** It stops the worker, or scripts every call of the upstream: no other run may be open meanwhile. */
  alone?: true;
  /** Resolves with the run, whose workflow has ended. */
  play: (stage: RunStage) => Promise<RunRow>;
}
