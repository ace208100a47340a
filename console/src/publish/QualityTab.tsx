import { Stack } from '@mantine/core';
import { shareText, useQuality } from '../agents/quality.ts';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { DateTime, secondsText, unitName } from '../parts/figures.tsx';
import { HeadlineMoney } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status, type Tone } from '../parts/Status.tsx';
import type { PublisherAgent } from './configuration.ts';
import { countOf } from '../parts/totals.tsx';

const OUTCOMES: Record<string, { tone: Tone; word: string }> = {
  complete: { tone: 'good', word: 'Complete' },
  partial: { tone: 'held', word: 'Partial' },
  failed: { tone: 'bad', word: 'Failed' },
};

type Feedback = components['schemas']['AgentFeedbackPage']['data'][number];

/** The quality of the public agent over all callers, without their content, and their feedback. */
export function QualityTab({ agent }: { agent: PublisherAgent }) {
  return (
    <Stack gap="lg">
      <Measures agent={agent} />
      <CallerFeedback agentId={agent.id} />
    </Stack>
  );
}

function Measures({ agent: { namespace, slug, public_deployment: live } }: { agent: PublisherAgent }) {
  const quality = useQuality(`${namespace}/${slug}`, { enabled: live?.status === 'active' });
  if (live?.status !== 'active')
    return (
      <div className="panel">
        <EmptyState drawing="chart" title="Not public yet">
          How often it completes, what a run costs and how long it takes: measured while the agent is public.
        </EmptyState>
      </div>
    );
  const { data, isLoading } = quality;
  return (
    <Figures>
      <Figure label="Completed" isLoading={isLoading} value={shareText(data?.completion_rate)}>
        of {countOf(data?.runs ?? 0, 'run')} in {countOf(data?.days ?? 0, 'day')}
      </Figure>
      <Figure label="Refunded" isLoading={isLoading} value={shareText(data?.refund_rate)} />
      <Figure label="Median cost" isLoading={isLoading} value={<HeadlineMoney usd={data?.median_cost_usd} />} />
      <Figure label="Median duration" isLoading={isLoading} value={secondsText(data?.median_duration_seconds)} />
    </Figures>
  );
}

/** Feedback on runs, without its authors. */
function CallerFeedback({ agentId }: { agentId: string }) {
  const feedback = usePages<Feedback>(['publisher', 'feedback', agentId], (cursor, signal) =>
    api.GET('/v1/publisher/agents/{agent_id}/feedback', {
      params: { path: { agent_id: agentId }, query: { cursor } },
      signal,
    }),
  );
  return (
    <Panel title="Feedback" description="What callers say about their runs.">
      <DataTable<Feedback>
        label="Feedback"
        from={feedback}
        rowKey={({ id }) => id}
        empty="No caller gave feedback yet."
        columns={[
          { title: 'Time', cell: ({ created_at: at }) => <DateTime at={at} /> },
          {
            title: 'Outcome',
            cell: ({ outcome }) => <Status {...(OUTCOMES[outcome] ?? { tone: 'quiet', word: outcome })} />,
          },
          { title: 'Reason', cell: ({ reason }) => <span className="cell-short">{reason || '—'}</span> },
          { title: 'Version', visibleFrom: 'sm', cell: ({ version }) => version },
          { title: 'From', visibleFrom: 'sm', cell: ({ source }) => (source === 'api' ? 'API' : unitName(source)) },
        ]}
      />
    </Panel>
  );
}
