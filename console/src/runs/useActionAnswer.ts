import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { showFailure, useChange } from '../api/hooks.ts';
import type { RequiredAction, Run } from './runEvents.ts';

/** Sends the answer to one action of a run. Refused fields are named by `errorOf`; any other refusal is a notification. */
export function useActionAnswer(run: Run, { type, step_id: stepId }: RequiredAction, member: 'data' | 'arguments') {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const change = useChange(
    (answer: object) => {
      setErrors({});
      return sendJson<Run>(`/v1/runs/${run.id}/input`, { type, ...(stepId && { step_id: stepId }), ...answer });
    },
    {
      stale: [['runs', run.id]],
      onError: (error) => {
        const fields = error instanceof ApiFailure ? error.fields : [];
        const named = fields.filter(({ path }) => path.startsWith(`${member}.`));
        if (named.length === 0) return showFailure(error);
        setErrors(Object.fromEntries(named.map(({ path, message }) => [path.slice(member.length + 1), message])));
      },
    },
  );
  return { send: change.mutate, isPending: change.isPending, errorOf: (name: string) => errors[name] };
}
