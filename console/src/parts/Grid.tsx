import { Button } from '@mantine/core';
import { useState } from 'react';
import { countText } from './figures.tsx';
import type { Row } from './readable.ts';

const ROWS_AT_FIRST = 50;

/** Objects as a table: a column for each member. */
export function Grid({ rows, label = 'Table' }: { rows: Row[]; label?: string }) {
  const [isWhole, setWhole] = useState(false);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const shown = isWhole ? rows : rows.slice(0, ROWS_AT_FIRST);
  const isNumber = (name: string) => rows.every((row) => typeof row[name] === 'number' || row[name] === undefined);
  const numbers = new Set(names.filter(isNumber));
  return (
    <div className="grid">
      <div className="grid-region" role="group" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {names.map((name) => (
                <th key={name} scope="col" className={numbers.has(name) ? 'is-end' : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <tr key={at}>
                {names.map((name) => (
                  <td key={name} className={numbers.has(name) ? 'is-end' : undefined}>
                    {cellText(row[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          Show all {countText(rows.length)} rows
        </Button>
      )}
    </div>
  );
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
