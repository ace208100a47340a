/** The id of a run's step: made of both, so that whoever carries a step on gives it the same one. */
export function stepIdOf(runId: string, step: number): string {
  return `step_${runId.slice('run_'.length)}${step.toString(36).padStart(4, '0')}`;
}
