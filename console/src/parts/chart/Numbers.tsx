import { memo } from 'react';
import type { Picture, TextOf } from './layout.ts';
import { seriesAt, totalAt, totalsOf } from './series.ts';

interface Props {
  picture: Picture;
  textOf: TextOf;
  isSummed: boolean;
  totalName: string;
}

/** The numbers of a chart as a table, for people who do not see it. */
export const Numbers = memo(function Numbers({
  label,
  picture,
  textOf,
  isSummed,
  totalName,
}: Props & { label: string }) {
  const { steps, series, ghost } = picture;
  const columns = isSummed
    ? [{ name: totalName, values: totalsOf(series, steps.length) as (number | undefined)[] }]
    : series.map(({ name, values }) => ({ name, values }));
  const valueText = textOf(columns.flatMap(({ values }) => values));
  const all = ghost ? [...columns, { name: 'Previous period', values: ghost }] : columns;
  return (
    <div className="for-readers">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {all.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map(({ title }, at) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {all.map(({ name, values }) => (
                <td key={name}>{values[at] === undefined ? '—' : valueText(values[at])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});

/** What a screen reader says of a step. */
export function sentenceAt({ picture, at, textOf, isSummed, totalName }: Props & { at: number }): string {
  const { steps, series, ghost } = picture;
  const valueText = textOf(series.map(({ values }) => values[at]));
  const parts = seriesAt(series, at, isSummed).map(({ name, values }) => `${name} ${valueText(values[at]!)}`);
  const total = isSummed ? [`${totalName} ${valueText(totalAt(series, at))}`] : [];
  const before = ghost?.[at] === undefined ? [] : [`previous period ${valueText(ghost[at])}`];
  return `${steps[at]!.title}: ${[...total, ...(parts.length > 1 || !isSummed ? parts : []), ...before].join(', ')}`;
}
