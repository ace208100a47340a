import { Button, Stack } from '@mantine/core';
import { memo, useDeferredValue, useMemo } from 'react';
import { linkPath } from '../api/client.ts';
import { useMinuteMs } from '../api/clock.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { ALL, groupOf, KIND, metricOf } from './metrics.ts';
import { MetricTabs } from './MetricTabs.tsx';
import { periodOf, type Period } from './period.ts';
import { RangeBar } from './RangeBar.tsx';
import { Segments } from './Segments.tsx';
import './usage.css';
import { UsagePicture } from './UsagePicture.tsx';
import { UsageTable } from './UsageTable.tsx';
import { useView } from './useView.ts';
import type { Choice } from './view.ts';
import { WhyStrip } from './WhyStrip.tsx';

const PANEL = 'usage-panel';

// A click on a control draws none of them again until its answer is there.
const Picture = memo(UsagePicture);
const Rows = memo(UsageTable);

export default function UsagePage() {
  const minuteMs = useMinuteMs();
  const [search] = useSearchState();
  const { model, key, project, compare } = search;
  const choice = useChoice(useDeferredValue(search), minuteMs ?? 0);
  const only = useMemo(
    () => ({ ...(model && { model }), ...(key && { key }), ...(project && { project }) }),
    [model, key, project],
  );
  const isCompared = compare === '1';
  const isKnown = minuteMs !== undefined;
  const { view, isStale, sums, isFailed, failure, retry } = useView(choice, only, { isKnown, isCompared });
  const { metric, by, part, period } = choice;
  return (
    <>
      <PageHeader
        title="Usage"
        description="What was used, and what it cost. Days are UTC."
        actions={
          <Button component="a" href={csvOf(period, by, only)} download variant="default">
            Export CSV
          </Button>
        }
      />
      <RangeBar period={isKnown ? period : undefined} nowMs={minuteMs} />
      <Stack gap="lg">
        <section className="panel usage" aria-label="Usage over time">
          <MetricTabs
            chosen={metric.id}
            sums={sums}
            isFailed={isFailed}
            than={isCompared ? period.prior.name : undefined}
            panelId={PANEL}
          />
          <div className="usage-body" id={PANEL} role="tabpanel" aria-label={metric.name}>
            <Choices metric={metric} by={by} part={part} />
            {failure ? (
              <TableFailure error={failure} retry={retry} />
            ) : (
              <>
                {isCompared && metric.id === 'cost' && <WhyStrip view={view} />}
                <Picture view={view} only={only} isStale={isStale} />
              </>
            )}
          </div>
        </section>
        {!failure && <Rows view={view} only={only} />}
      </Stack>
    </>
  );
}

/** The choice in the address, complete. */
function useChoice(search: Record<string, string | undefined>, nowMs: number): Choice {
  const { metric: id, by: group, part: asked, days, month, from, to } = search;
  return useMemo(() => {
    const metric = metricOf(id);
    const by = groupOf(metric, group);
    const part = metric.parts?.find(({ value }) => value === asked)?.value ?? metric.parts?.[0]!.value ?? '';
    return { metric, by, part, period: periodOf({ days, month, from, to }, nowMs) };
  }, [id, group, asked, days, month, from, to, nowMs]);
}

/** How the metric is grouped, and which part of it is drawn. */
function Choices({ metric, by, part }: Pick<Choice, 'metric' | 'by' | 'part'>) {
  const [, set] = useSearchState();
  const hasParts = metric.parts && by !== KIND && by !== ALL;
  return (
    <div className="usage-choices">
      <Segments
        label="Group by"
        options={metric.groups}
        value={by}
        onChange={(value) => set({ by: value === metric.groups[0]!.value ? undefined : value })}
      />
      {hasParts && (
        <Segments label="Part" options={metric.parts!} value={part} onChange={(value) => set({ part: value })} />
      )}
    </div>
  );
}

function csvOf({ unit, from, to }: Period, by: string, only: object): string {
  const groupBy = by === KIND || by === ALL ? unit : `${unit},${by}`;
  return linkPath(`/platform/v1/usage?${new URLSearchParams({ group_by: groupBy, from, to, format: 'csv', ...only })}`);
}
