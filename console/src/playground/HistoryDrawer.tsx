import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CountdownTimerIcon, TrashIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { Ago } from '../parts/figures.tsx';
import { HeadAction, Sheet, ToolActions } from './frame.tsx';
import type { Kept } from './history.ts';

interface List<Item extends Kept> {
  items: Item[];
  current: string;
  factsOf: (item: Item) => ReactNode;
  onOpen: (item: Item) => void;
  onRemove: (item: Item) => void;
}

/** What was tried before in this browser, behind a button of the head. */
export function HistoryDrawer<Item extends Kept>({
  items = [],
  noun,
  ...list
}: Omit<List<Item>, 'items'> & { items: Item[] | undefined; noun: string }) {
  const [isOpen, drawer] = useDisclosure();
  return (
    <>
      <ToolActions>
        <HeadAction icon={<CountdownTimerIcon />} name="History" onClick={drawer.open} />
      </ToolActions>
      <Sheet title="History" isOpen={isOpen} onClose={drawer.close} position="right" size="min(26rem, 100%)">
        <Text size="xs" c="dimmed" mb="sm">
          {items.length === 0
            ? `No ${noun} yet.`
            : `The last 50 ${noun} are kept in this browser alone, until you sign out.`}
        </Text>
        <HistoryList
          items={items}
          {...list}
          onOpen={(item) => {
            list.onOpen(item);
            drawer.close();
          }}
        />
      </Sheet>
    </>
  );
}

export function HistoryList<Item extends Kept>({ items, current, factsOf, onOpen, onRemove }: List<Item>) {
  return (
    <ul className="history" aria-label="History">
      {items.map((item) => (
        <li key={item.id} className="history-item" data-current={item.id === current || undefined}>
          <button type="button" className="history-open" onClick={() => onOpen(item)}>
            <span className="history-title">{item.title}</span>
            <span className="history-facts">
              {factsOf(item)} · <Ago at={item.updatedAt} />
            </span>
          </button>
          <Tooltip label="Delete">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Delete “${item.title}”`}
              onClick={() => onRemove(item)}
            >
              <TrashIcon />
            </ActionIcon>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}
