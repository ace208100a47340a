import type { Rows } from '../../db/postgres/rows.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { RecordedStep } from '../../db/runs/steps/stepRecords.ts';
import { readState } from '../../db/sessions/sessionState.ts';
import type { Json } from '../../providers/provider.ts';

const SHOWN_CHARACTERS = 4_000;

/**
 * What the model is told when the state of the session has changed since its tools read or wrote it: a caller may edit the state of a run
 * that waits. It is the last message, so the conversation before it stays the same.
 */
export async function noteOfState(
  rows: Rows,
  { session_id: sessionId }: Pick<RunRow, 'session_id'>,
  steps: readonly RecordedStep[],
): Promise<Json[]> {
  const seen = stateSeenIn(steps);
  if (seen === undefined) return [];
  const { version, state } = await readState(rows, sessionId);
  if (version <= seen) return [];
  const json = JSON.stringify(state);
  const content = json.length <= SHOWN_CHARACTERS ? `It is now:\n${json}` : 'Read it with get_state.';
  return [{ role: 'user', content: `The state of this session has been changed to version ${version}. ${content}` }];
}

/** The newest version of the state that a run's steps have shown to its model, if they have shown it. */
export function stateSeenIn(steps: readonly RecordedStep[]): number | undefined {
  const versions = steps.flatMap((step) => ('stateVersion' in step.result ? (step.result.stateVersion ?? []) : []));
  return versions.length === 0 ? undefined : Math.max(...versions);
}
