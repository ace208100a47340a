import { Skeleton } from '@mantine/core';
import { Fragment } from 'react';
import { Dot } from '../parts/chart/HoverCard.tsx';
import { centsText } from '../parts/figures.tsx';
import { percentText } from './percent.ts';
import { changeOf } from './facts.ts';
import { colorsOf, type View } from './view.ts';
import { causesOf, reasonOf } from './why.ts';

/** Why the cost changed, in one sentence and its largest causes. */
export function WhyStrip({ view }: { view: View | undefined }) {
  if (!view) return <Skeleton height={48} />;
  const { total = 0, totalBefore, period, lines } = view;
  if (totalBefore === undefined) return null;
  const change = total - totalBefore;
  const causes = causesOf(lines, change);
  const colorOf = colorsOf(view.series);
  return (
    <div className="why" role="status">
      <p className="why-sentence">
        {period.name}: {centsText(total)},{' '}
        {Math.abs(change) < 0.005 ? (
          'as much as'
        ) : (
          <>
            <strong>
              {centsText(Math.abs(change))} {change > 0 ? 'more' : 'less'}
            </strong>{' '}
            than
          </>
        )}{' '}
        {period.prior.name} ({centsText(totalBefore)}
        {totalBefore > 0 && `, ${percentText(total, totalBefore)}`}).
      </p>
      {causes.length > 0 && (
        <ul className="why-causes">
          {causes.map((line) => (
            <li key={line.id}>
              <Dot color={colorOf(line.id)} />
              <span>{line.name}</span>
              <strong className="number">
                {change > 0 ? '+' : '−'}
                {centsText(Math.abs(changeOf(line)))}
              </strong>
              {reasonOf(line) && <Fragment>({reasonOf(line)})</Fragment>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
