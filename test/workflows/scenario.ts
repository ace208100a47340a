import type { RunRow } from '../../db/runs/runRow.ts';
import type { RunStage } from '../support/runStage.ts';

/** One way through a run: what is to be true at its end, and how to bring it about. */
export interface Scenario {
  promise: string;
  /** Columns of the run's row at its end. */
  ends: Partial<Record<keyof RunRow, unknown>>;
  /** Resolves with the run, whose workflow has ended. */
  play: (stage: RunStage) => Promise<RunRow>;
}
