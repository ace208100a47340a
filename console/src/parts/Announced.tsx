import { useEffect, useRef, useState } from 'react';
import { countText } from './figures.tsx';
import type { TableProps } from './table.ts';

/**
 * Says to a screen reader how many rows a table has once a filter or a search, which are in the page's address, has changed them. Rows that
 * are only refreshed are not announced.
 */
export function Announced<Row>({ label, rowKey, from: { rows, isOld = false, hasMore = false } }: TableProps<Row>) {
  const [text, setText] = useState('');
  const said = useRef<{ search: string; content: string }>(undefined);
  const ends = rows && [rows[0], rows.at(-1)].map((row) => row && rowKey(row));
  const content = rows && !isOld ? [rows.length, ...ends!].join(' ') : undefined;
  useEffect(() => {
    if (content === undefined || content === said.current?.content) return;
    const { search } = location;
    if (said.current && said.current.search !== search) setText(wordsOf(label, rows!.length, hasMore));
    said.current = { search, content };
  });
  return (
    <p className="for-readers" role="status">
      {text}
    </p>
  );
}

/** `Requests, 50 shown` while there are more, `Keys, 3 found`. */
function wordsOf(label: string, count: number, hasMore: boolean): string {
  if (count === 0) return `${label}, none found`;
  return `${label}, ${countText(count)} ${hasMore ? 'shown' : 'found'}`;
}
