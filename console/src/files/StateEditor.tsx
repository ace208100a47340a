import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { objectIn } from '../agents/schemaFields.ts';
import { answerOf, api } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import type { State } from './ChangedBy.tsx';
import { Form } from '../parts/Form.tsx';

/** Writes the whole state as JSON. A state that has changed meanwhile is not overwritten. */
export function StateEditor({ from, onClose }: { from: State; onClose: () => void }) {
  // The version that the person saw: later ones come while they write.
  const [{ version, session_id: id }] = useState(from);
  const [text, setText] = useState(() => JSON.stringify(from.state, null, 2));
  const written = objectIn(text);
  const save = useChange(
    (state: Record<string, unknown>) =>
      answerOf(
        api.PUT('/v1/sessions/{session_id}/state', {
          params: { path: { session_id: id }, header: { 'If-Match': `"state-${version}"` } },
          body: { state },
        }),
      ),
    { stale: [['sessions', id, 'state']], done: 'State saved', onSuccess: onClose, onError: () => {} },
  );
  return (
    <Form
      error={save.error && refusalOf(save.error)}
      onSubmit={() => {
        if (written) save.mutate(written);
      }}
    >
      <Stack gap="sm">
        <Textarea
          aria-label="State as JSON"
          data-param="state"
          classNames={{ input: 'id' }}
          autosize
          minRows={6}
          maxRows={24}
          value={text}
          error={!written && 'A state is an object of JSON.'}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!written}>
            Save state
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

const refusalOf = (error: Error): Error | string =>
  error instanceof ApiFailure && error.status === 412
    ? 'A run or a program has changed the state meanwhile. Copy what you need, cancel, and edit the new version.'
    : error;
