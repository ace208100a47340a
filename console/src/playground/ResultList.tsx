import type { ReactNode } from 'react';
import { EmptyState } from '../parts/EmptyState.tsx';
import type { Drawing } from '../parts/drawings.tsx';
import { Ago } from '../parts/figures.tsx';
import { CallFigures } from './CallFigures.tsx';
import type { Figures } from './conversation.ts';
import type { Kept } from './history.ts';
import { DeleteAction } from './HistoryDrawer.tsx';

type Item = Kept & { figures: Figures };

/** The results of a tool, the newest first: they are its history too. */
export function ResultList<Result extends Item>({
  items,
  empty,
  factsOf,
  viewOf,
  onRemove,
}: {
  items: Result[] | undefined;
  empty: { drawing: Drawing; title: string; text: string };
  factsOf: (item: Result) => string;
  viewOf: (item: Result) => ReactNode;
  onRemove: (item: Result) => void;
}) {
  if (items?.length === 0)
    return (
      <EmptyState drawing={empty.drawing} title={empty.title}>
        {empty.text}
      </EmptyState>
    );
  return (
    <ul className="results" aria-label="Results">
      {items?.map((item) => (
        <li key={item.id} className="result">
          <div className="result-head">
            <span>
              {factsOf(item)} · <Ago at={item.updatedAt} />
            </span>
            <DeleteAction title={item.title} onDelete={() => onRemove(item)} />
          </div>
          {viewOf(item)}
          <CallFigures figures={item.figures} />
        </li>
      ))}
    </ul>
  );
}
