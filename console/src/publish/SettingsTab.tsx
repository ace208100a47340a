import './life.css';
import { Button, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api, sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import type { PublisherAgent } from './configuration.ts';
import { DeprecateDialog, TakeDownDialog } from './EndingDialogs.tsx';

/** How an agent ends: deprecated with a date, taken down at once, or deleted before it was ever public. */
export function SettingsTab({ agent }: { agent: PublisherAgent }) {
  const isPublic = agent.public_deployment !== null;
  return (
    <Stack gap="lg">
      {isPublic && <DeprecationPanel agent={agent} />}
      {isPublic && <TakeDownPanel agent={agent} />}
      {!isPublic && <DeletionPanel agent={agent} />}
    </Stack>
  );
}

const useMove = (agent: PublisherAgent, done: string) =>
  useChange((move: 'restore' | 'undeprecate') => sendJson(`/v1/publisher/agents/${agent.id}/${move}`, {}), {
    stale: [['publisher'], ['agents']],
    done,
  });

function DeprecationPanel({ agent }: { agent: PublisherAgent }) {
  const { deprecation } = agent;
  const [isOpen, setOpen] = useState(false);
  const end = useMove(agent, 'No longer deprecated');
  return (
    <Panel
      title="Deprecation"
      description="Callers are told a last day and what to use instead. Until then nothing changes for them."
      actions={
        <div className="life-actions">
          {deprecation && (
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate('undeprecate')}>
              End deprecation
            </Button>
          )}
          <Button variant="default" onClick={() => setOpen(true)}>
            {deprecation ? 'Change' : 'Deprecate agent'}
          </Button>
        </div>
      }
    >
      {deprecation ? (
        <Text size="sm">
          New orders are refused from <DateTime at={deprecation.sunset_at} /> on.{' '}
          {deprecation.successor ? (
            <>
              Its successor is <span className="id">{deprecation.successor}</span>.
            </>
          ) : (
            'It has no successor.'
          )}
          {deprecation.message && ` Callers read: ${deprecation.message}`}
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          The agent is not deprecated.
        </Text>
      )}
      <DeprecateDialog agent={agent} isOpen={isOpen} onClose={() => setOpen(false)} />
    </Panel>
  );
}

function TakeDownPanel({ agent }: { agent: PublisherAgent }) {
  const { taken_down: down } = agent;
  const [isOpen, setOpen] = useState(false);
  const restore = useMove(agent, 'The agent takes orders again');
  return (
    <Panel
      title="Take down"
      description="New orders are refused at once with your message, and schedules of it pause. Runs that have begun end as usual."
      actions={
        down ? (
          <Button loading={restore.isPending} onClick={() => restore.mutate('restore')}>
            Restore agent
          </Button>
        ) : (
          <Button variant="default" className="text-bad" onClick={() => setOpen(true)}>
            Take agent down
          </Button>
        )
      }
    >
      {down ? (
        <Text size="sm">
          Taken down <DateTime at={down.at} />. Callers read: {down.message}
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          The agent takes orders.
        </Text>
      )}
      <TakeDownDialog agent={agent} isOpen={isOpen} onClose={() => setOpen(false)} />
    </Panel>
  );
}

function DeletionPanel({ agent }: { agent: PublisherAgent }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const remove = useChange(
    () => answerOf(api.DELETE('/v1/publisher/agents/{agent_id}', { params: { path: { agent_id: agent.id } } })),
    {
      stale: [['publisher', 'agents']],
      done: 'Agent deleted',
      onSuccess: () => void navigate({ to: '/publish' }),
    },
  );
  return (
    <Panel
      title="Delete"
      description="The agent was never public. Its draft is gone and its name is free; bills of its runs stay."
      actions={
        <Button variant="default" className="text-bad" onClick={() => setOpen(true)}>
          Delete agent
        </Button>
      }
    >
      <ConfirmDialog
        title="Delete this agent?"
        confirmLabel="Delete agent"
        isOpen={isOpen}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setOpen(false)}
      >
        <Text size="sm">
          <span className="id">
            {agent.namespace}/{agent.slug}
          </span>{' '}
          cannot be brought back.
        </Text>
      </ConfirmDialog>
    </Panel>
  );
}
