import './agentRuns.css';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { shareText } from '../agents/quality.ts';
import { api } from '../api/client.ts';
import { useMinuteMs } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';
import { Chart } from '../parts/chart/Chart.tsx';
import { Legend } from '../parts/chart/Legend.tsx';
import { TableFailure } from '../parts/DataTable.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { countText, secondsText } from '../parts/figures.tsx';
import { HeadlineMoney } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { Segments } from '../usage/Segments.tsx';
import { AgentAlerts } from './AgentAlerts.tsx';
import { AgentRunsList } from './AgentRunsList.tsx';
import { Endings } from './Endings.tsx';
import { VersionsCompared } from './VersionsCompared.tsx';
import { PERIODS, pictureOf, sinceOf, WHOSE, type AgentMetrics } from './agentRuns.ts';
import { countOf } from '../parts/totals.tsx';

const DAYS = '7';
const HEIGHT = 200;

/** How the runs of an agent end: over time, by version and by error, and each of them. */
export function AgentRunsTab({ agentId }: { agentId: string }) {
  const nowMs = useMinuteMs();
  const [{ days = DAYS, whose = 'callers' }, set] = useSearchState();
  const from = nowMs === undefined ? undefined : sinceOf(Number(days), nowMs);
  const query = { from, whose: whose as AgentMetrics['whose'] };
  const metrics = useAnswer(
    ['publisher', 'metrics', agentId, query],
    (signal) =>
      api.GET('/v1/publisher/agents/{agent_id}/metrics', { params: { path: { agent_id: agentId }, query }, signal }),
    { enabled: from !== undefined, placeholderData: (before) => before },
  );
  return (
    <Stack gap="lg">
      <div className="agent-runs-head">
        <Segments
          label="Period"
          options={PERIODS}
          value={days}
          onChange={(value) => set({ days: value === DAYS ? undefined : value })}
        />
        <Segments
          label="Runs of"
          options={WHOSE}
          value={whose}
          onChange={(value) => set({ whose: value === 'callers' ? undefined : value })}
        />
      </div>
      {metrics.error && !metrics.data ? (
        <TableFailure error={metrics.error} retry={() => void metrics.refetch()} />
      ) : (
        <Overview metrics={metrics.data} />
      )}
      <VersionsCompared metrics={metrics.data} isLoading={metrics.isLoading} error={metrics.error} />
      <Endings agentId={agentId} metrics={metrics.data} />
      <AgentRunsList agentId={agentId} from={from} whose={query.whose} versions={metrics.data?.versions ?? []} />
      <AgentAlerts agentId={agentId} />
    </Stack>
  );
}

function Overview({ metrics }: { metrics: AgentMetrics | undefined }) {
  const [shown, setShown] = useState<'ends' | 'durations'>('ends');
  const [only, setOnly] = useState<string>();
  const totals = metrics?.totals;
  const whole = metrics && pictureOf(metrics, shown);
  const isOne = whole?.series.some(({ id }) => id === only);
  const picture = whole && isOne ? { ...whole, series: whole.series.filter(({ id }) => id === only) } : whole;
  const isLoading = metrics === undefined;
  return (
    <>
      <Figures label="Figures">
        <Figure label="Success rate" isLoading={isLoading} value={shareText(totals?.success_rate)}>
          {countText(totals?.completed ?? 0)} of {countOf(totals?.runs ?? 0, 'run')}
        </Figure>
        <Figure label="Failed" isLoading={isLoading} value={countText(totals?.failed ?? 0)}>
          {countText(metrics?.open_runs ?? 0)} running now
        </Figure>
        <Figure label="Duration, p50" isLoading={isLoading} value={secondsText(totals?.p50_seconds)}>
          p95 {secondsText(totals?.p95_seconds)}
        </Figure>
        <Figure label="Earned" isLoading={isLoading} value={<HeadlineMoney usd={totals?.earned_usd} />}>
          {totals?.refunded_runs ? `${countText(totals.refunded_runs)} refunded` : 'No refunds'}
        </Figure>
      </Figures>
      <Panel
        title="Over time"
        description={
          shown === 'ends' ? 'How runs ended, by day or hour (UTC).' : 'Of completed runs, by day or hour (UTC).'
        }
        actions={
          <Segments label="Shown" options={SHOWN} value={shown} onChange={(value) => setShown(value as typeof shown)} />
        }
      >
        <Chart
          label={shown === 'ends' ? 'Runs by how they ended' : 'Duration of completed runs'}
          picture={picture}
          shape={shown === 'ends' ? 'bars' : 'lines'}
          height={HEIGHT}
          textOf={() => (shown === 'ends' ? countText : secondsText)}
          tickText={shown === 'ends' ? countText : secondsText}
          isWhole={shown === 'ends'}
          totalName="Runs"
          empty="No runs in this period."
        />
        {whole && whole.series.length > 1 && (
          <Legend
            series={whole.series}
            only={isOne ? only : undefined}
            onOnly={setOnly}
            textOf={() => (shown === 'ends' ? countText : secondsText)}
            isSummed={shown === 'ends'}
          />
        )}
      </Panel>
    </>
  );
}

const SHOWN = [
  { value: 'ends', label: 'Runs' },
  { value: 'durations', label: 'Duration' },
];
