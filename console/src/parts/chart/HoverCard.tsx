import { useLayoutEffect, useRef, useState } from 'react';
import type { Layout, Picture, TextOf } from './layout.ts';
import { seriesAt, shareText, totalAt } from './series.ts';

const GAP = 12;

/** The numbers of one step, beside the crosshair: each series with its share, the total, and the period before. */
export function HoverCard({
  picture: { steps, series, ghost },
  at,
  layout,
  textOf,
  isSummed,
  totalName,
}: {
  picture: Picture;
  at: number;
  layout: Layout;
  textOf: TextOf;
  /** Whether the series add up. */
  isSummed: boolean;
  totalName: string;
}) {
  const card = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => setWidth(card.current?.offsetWidth ?? 0), [at, series]);
  const total = totalAt(series, at);
  const rows = seriesAt(series, at, isSummed);
  const before = ghost?.[at];
  const valueText = textOf([...series.map(({ values }) => values[at]), before]);
  const x = layout.bands.centerOf(at);
  const isLeft = x + GAP + width > layout.width;
  const { title, note } = steps[at]!;
  return (
    <div
      ref={card}
      className="chart-card"
      style={{ left: Math.max(0, isLeft ? x - GAP - width : x + GAP), visibility: width === 0 ? 'hidden' : undefined }}
      aria-hidden
    >
      <p className="chart-card-title">
        {title}
        {note && <span>{note}</span>}
      </p>
      <dl>
        {rows.length !== 1 && isSummed && <Line name={totalName} value={valueText(total)} isTotal />}
        {rows.map(({ id, name, color, values }) => (
          <Line
            key={id}
            name={name}
            color={color}
            value={valueText(values[at]!)}
            share={isSummed && rows.length > 1 ? shareText(values[at]!, total) : undefined}
          />
        ))}
        {before !== undefined && <Line name="Previous period" value={valueText(before)} isGhost />}
      </dl>
    </div>
  );
}

function Line({
  name,
  value,
  color,
  share,
  isTotal,
  isGhost,
}: {
  name: string;
  value: string;
  color?: string;
  share?: string;
  isTotal?: boolean;
  isGhost?: boolean;
}) {
  return (
    <div className={isTotal ? 'is-total' : isGhost ? 'is-ghost' : undefined}>
      <dt>
        {color && <Dot color={color} />}
        <span>{name}</span>
      </dt>
      <dd>{value}</dd>
      <dd className="chart-share">{share}</dd>
    </div>
  );
}

/** The colour of a series beside its name. */
export const Dot = ({ color }: { color: string }) => (
  <i className="series-dot" style={{ background: color }} aria-hidden />
);
