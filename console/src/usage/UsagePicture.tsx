import { Skeleton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Chart } from '../parts/chart/Chart.tsx';
import { Legend } from '../parts/chart/Legend.tsx';
import { OTHERS } from '../parts/chart/series.ts';
import { REQUEST_FILTERS } from './metrics.ts';
import { spanOfStep } from './period.ts';
import type { Only } from './useReports.ts';
import { pictureOf, type View } from './view.ts';

const HEIGHT = 280;
const plain = () => String;

/** The picture of a view with its series beside it. A bar leads to its requests. */
export function UsagePicture({
  view,
  only: filters,
  isStale,
}: {
  view: View | undefined;
  only: Only;
  isStale: boolean;
}) {
  const navigate = useNavigate();
  const [chosen, setOnly] = useState<string>();
  const only = view?.series.some(({ id }) => id === chosen) ? chosen : undefined;
  const picture = useMemo(() => view && pictureOf(view, only), [view, only]);
  const pick = (at: number, seriesId = only) => {
    if (!view) return;
    const { by, period } = view;
    const filter = REQUEST_FILTERS.includes(by) && seriesId && seriesId !== OTHERS ? { [by]: seriesId } : {};
    const search = { ...filters, ...spanOfStep(period.steps[at]!, period.unit), zone: 'utc', ...filter };
    void navigate({ to: '/requests', search: () => search });
  };
  return (
    <div className="picture" aria-busy={isStale} data-empty={view?.series.length === 0 || undefined}>
      <Chart
        label={view ? `${view.metric.name}, ${view.period.name}` : 'Usage'}
        picture={picture}
        shape={view?.metric.shape ?? 'bars'}
        textOf={view?.metric.textOf ?? plain}
        tickText={view?.metric.tickText ?? String}
        isWhole={view?.metric.isWhole ?? false}
        height={HEIGHT}
        empty={view?.metric.id === 'errors' ? 'No errors in this period.' : 'No usage in this period.'}
        onPick={pick}
      />
      <div className="picture-legend">
        {view ? (
          <Legend
            series={view.series}
            only={only}
            onOnly={setOnly}
            textOf={view.metric.textOf}
            isSummed={view.metric.shape !== 'lines'}
          />
        ) : (
          <Skeleton height={HEIGHT} />
        )}
      </div>
    </div>
  );
}
