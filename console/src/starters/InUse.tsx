import { Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import type { AgentModel } from '../api/shapes.ts';
import { Confirmed } from '../parts/Confirmed.tsx';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';

/** The model that agents use now, which may be any text model that is sold. */
export function InUse({ agents }: { agents: AgentModel }) {
  const models = useAnswer(['catalog', 'models'], (signal) => api.GET('/console/v1/catalog/models', { signal }));
  const [asked, setAsked] = useState<string>();
  const close = () => setAsked(undefined);
  const stale = [['catalog'], ['audit']];
  const choose = useChange(
    (model: string) => answerOf(api.PUT('/console/v1/catalog/agent-model', { body: { model } })),
    { stale, done: 'Agents use it now', onSuccess: close },
  );
  const giveBack = useChange(() => answerOf(api.DELETE('/console/v1/catalog/agent-model')), {
    stale,
    done: 'Returned to the file',
  });
  const sold = models.data?.data.filter(({ kind, state }) => kind === 'text' && state === 'sold') ?? [];
  const ids = sold.map(({ id }) => id);
  return (
    <Panel title="In use" description={inWords(agents)}>
      <Group gap="sm" align="flex-end">
        <Select
          className="starters-choice"
          label="Agents use"
          data={ids.includes(agents.model) ? ids : [agents.model, ...ids]}
          value={agents.model}
          allowDeselect={false}
          disabled={choose.isPending}
          onChange={(model) => model && model !== agents.model && setAsked(model)}
        />
        {agents.source === 'operator' && (
          <Confirmed
            title="Return the model of agents to the file?"
            confirmLabel="Return to the file"
            change={giveBack}
            trigger={(ask) => (
              <Button variant="default" loading={giveBack.isPending} onClick={ask}>
                Return to the file
              </Button>
            )}
          >
            All agents without a model of their own use the one of the file from now on.
          </Confirmed>
        )}
        {agents.awaited && <Status tone="busy" word={`${agents.awaited.model} once it is there`} />}
      </Group>
      {agents.is_rehearsed && (
        <Text size="xs" c="dimmed" mt="sm">
          The rehearsal calls tools in a sensible order and costs nothing, but it understands nothing.
        </Text>
      )}
      <ConfirmDialog
        title={`Let agents use ${asked ?? ''}?`}
        confirmLabel="Use this model"
        isGrant
        isOpen={asked !== undefined}
        isPending={choose.isPending}
        onConfirm={() => asked && choose.mutate(asked)}
        onClose={close}
      >
        <Text size="sm">All agents without a model of their own use it from now on, at its price.</Text>
      </ConfirmDialog>
    </Panel>
  );
}

/** What agents answer by, in one sentence. */
export function inWords({ is_rehearsed: isRehearsed, model, chosen_by: by }: AgentModel): string {
  if (isRehearsed) return 'Agents answer by rules, not by a language model.';
  return `Agents use ${model}, ${by ? `chosen by ${by}` : 'as the file or the environment says'}.`;
}
