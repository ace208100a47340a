import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Form } from '../parts/Form.tsx';

/** Posts a comment on a submission to `path`, then refreshes `stale`. */
export function CommentForm({ path, stale }: { path: string; stale: unknown[][] }) {
  const [message, setMessage] = useState('');
  const send = useChange(() => sendJson(path, { message }), {
    stale,
    done: 'Comment sent',
    onSuccess: () => setMessage(''),
    onError: () => {},
  });
  return (
    <Form error={send.error} onSubmit={() => send.mutate(undefined)}>
      <Stack gap="sm">
        <Textarea
          label="Comment"
          data-param="message"
          autosize
          minRows={2}
          maxLength={5000}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" variant="default" loading={send.isPending} disabled={!message.trim()}>
            Send comment
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
