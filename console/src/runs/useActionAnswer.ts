import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { RequiredAction, Run } from './runEvents.ts';

/** Sends the answer to one action of a run; its form shows a refusal. */
export function useActionAnswer(run: Run, { type, step_id: stepId }: RequiredAction) {
  const change = useChange(
    (answer: object) =>
      sendJson<Run>(`/v1/runs/${run.id}/input`, { type, ...(stepId && { step_id: stepId }), ...answer }),
    { stale: [['runs', run.id]], onError: () => {} },
  );
  return { send: change.mutate, isPending: change.isPending, error: change.error };
}
