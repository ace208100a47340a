import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { Ago } from '../parts/figures.tsx';
import { OneTimeSecret, SecretDialog } from '../parts/OneTimeSecret.tsx';
import { toolReceivers } from './toolReceivers.ts';

/** The secret that signs the calls of an agent's HTTP tools: when it was made, and a button that makes the next one. `isMissed`: the draft was refused without one. */
export function ToolSecret({ agentId, isMissed }: { agentId: string; isMissed: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const params = { path: { agent_id: agentId } };
  const key = ['publisher', agentId, 'tool secret'];
  const secret = useAnswer(key, (signal) =>
    api.GET('/v1/publisher/agents/{agent_id}/http_tools/secret', { params, signal }),
  );
  const rotate = useChange(() => answerOf(api.POST('/v1/publisher/agents/{agent_id}/http_tools/secret', { params })), {
    stale: [key],
  });
  const madeAt = secret.data?.created_at ?? null;
  const label = madeAt === null ? 'Create signing secret' : 'Rotate signing secret';
  return (
    <Group gap="xs">
      {madeAt !== null && (
        <Text size="xs" c="dimmed">
          Signing secret made <Ago at={madeAt} />
        </Text>
      )}
      {secret.data && madeAt === null && (
        <Text size="xs" {...(isMissed ? { className: 'text-bad' } : { c: 'dimmed' })}>
          {isMissed ? 'Create the signing secret first' : 'No signing secret yet'}
        </Text>
      )}
      <Button variant="default" disabled={!secret.data} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <SecretDialog
        title={label}
        madeTitle="Signing secret"
        change={rotate}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        shown={({ secret: made }, close) => (
          <OneTimeSecret secret={made} onClose={close}>
            <CodeSnippets snippets={toolReceivers} label="Receive and check calls in" />
          </OneTimeSecret>
        )}
      >
        <Stack>
          <Text size="sm">
            {madeAt === null
              ? 'One secret signs the calls of all HTTP tools of this agent, as webhooks are signed.'
              : 'For 24 hours each call is signed with both secrets: change your code within that time.'}
          </Text>
          <Group justify="flex-end">
            <Button onClick={() => rotate.mutate(undefined)} loading={rotate.isPending}>
              {madeAt === null ? 'Create secret' : 'Rotate secret'}
            </Button>
          </Group>
        </Stack>
      </SecretDialog>
    </Group>
  );
}
