import { Skeleton } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { countText, durationText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { Change } from './Change.tsx';
import { METRICS, type MetricId } from './metrics.ts';
import { compact, type Sum } from './sums.ts';

/** The metrics with their sums: the chosen one is drawn below. */
export function MetricTabs({
  chosen,
  sums,
  isFailed,
  than,
  panelId,
}: {
  chosen: MetricId;
  /** Undefined while it loads. */
  sums: Partial<Record<MetricId, Sum>> | undefined;
  /** Whether a report could not be read: its sum does not come. */
  isFailed: boolean;
  /** What the sums are compared with. */
  than: string | undefined;
  panelId: string;
}) {
  const [, set] = useSearchState();
  const choose = (id: MetricId) => set({ metric: id === 'cost' ? undefined : id, part: undefined });
  const follow = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = METRICS.findIndex(({ id }) => id === chosen);
    const next = METRICS[(at + by + METRICS.length) % METRICS.length]!;
    choose(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-metric=${next.id}]`)?.focus();
  };
  return (
    <div className="metrics" role="tablist" aria-label="Metric" onKeyDown={follow}>
      {METRICS.map(({ id, name }) => {
        const sum = sums?.[id];
        return (
          <button
            key={id}
            type="button"
            role="tab"
            className="metric"
            data-metric={id}
            aria-selected={id === chosen}
            aria-controls={panelId}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            <span className="metric-name">{name}</span>
            <span className="metric-value">
              {sum ? valueOf(id, sum.now) : isFailed ? '—' : <Skeleton height={20} width={72} />}
            </span>
            <span className="metric-note">
              {than && sum?.part && `${sum.part} `}
              {sum && (than ? <Change now={sum.now} before={sum.before} than={than} /> : sum.note)}
            </span>
          </button>
        );
      })}
    </div>
  );
}

function valueOf(id: MetricId, value: number | undefined): ReactNode {
  if (id === 'cost') return <Money usd={value} isRounded />;
  if (id === 'latency') return durationText(value);
  return id === 'tokens' ? compact(value ?? 0) : countText(value ?? 0);
}
