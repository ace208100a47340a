import { ActionIcon, Tooltip } from '@mantine/core';
import { ChatBubbleIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';
import { useModels } from '../api/models.ts';
import type { Column } from '../parts/DataTable.tsx';
import { isPlayable, playgroundWith } from '../parts/playable.ts';
import type { Line } from './facts.ts';

/** Of models: a link to the playground, for those who may call them. */
export function usePlaygroundColumn(by: string | undefined): Column<Line>[] {
  const { role } = useMe();
  const models = useModels().data?.data;
  if (by !== 'model' || role === 'finance') return [];
  const isShown = (id: string) => isPlayable(models?.find((model) => model.id === id)?.kind);
  return [
    {
      title: 'Playground',
      isTitleHidden: true,
      isNumber: true,
      visibleFrom: 'md',
      cell: ({ id }) => isShown(id) && <PlaygroundLink model={id} />,
    },
  ];
}

function PlaygroundLink({ model }: { model: string }) {
  return (
    <Tooltip label="Open in playground">
      <ActionIcon
        component={Link}
        {...playgroundWith(model)}
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={`Open ${model} in the playground`}
      >
        <ChatBubbleIcon />
      </ActionIcon>
    </Tooltip>
  );
}
