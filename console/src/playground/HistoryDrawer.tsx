import { Text } from '@mantine/core';
import { CountdownTimerIcon, TrashIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { Ago } from '../parts/figures.tsx';
import { IconAction } from '../parts/IconAction.tsx';
import { HeadSheet } from './frame.tsx';
import type { Kept } from './history.ts';

interface List<Item extends Kept> {
  items: Item[];
  current: string;
  factsOf: (item: Item) => ReactNode;
  onOpen: (item: Item) => void;
  onRemove: (item: Item) => void;
}

/** The earlier items of this browser, behind a button of the head. */
export function HistoryDrawer<Item extends Kept>({
  items = [],
  noun,
  ...list
}: Omit<List<Item>, 'items'> & { items: Item[] | undefined; noun: string }) {
  return (
    <HeadSheet icon={<CountdownTimerIcon />} name="History" position="right" size="min(26rem, 100%)">
      {(close) => (
        <>
          <Text size="xs" c="dimmed" mb="sm">
            {items.length === 0
              ? `No ${noun} yet.`
              : `The last 50 ${noun}, kept only in this browser, until you sign out.`}
          </Text>
          <HistoryList
            items={items}
            {...list}
            onOpen={(item) => {
              list.onOpen(item);
              close();
            }}
          />
        </>
      )}
    </HeadSheet>
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
          <DeleteAction title={item.title} onDelete={() => onRemove(item)} />
        </li>
      ))}
    </ul>
  );
}

export const DeleteAction = ({ title, onDelete }: { title: string; onDelete: () => void }) => (
  <IconAction tip="Delete" name={`Delete “${title}”`} onClick={onDelete}>
    <TrashIcon />
  </IconAction>
);
