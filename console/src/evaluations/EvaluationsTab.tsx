import './evaluations.css';
import '../runs/runs.css';
import { Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAnswer, usePages } from '../api/hooks.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CaseDialog } from './CaseDialog.tsx';
import { CasesPanel } from './CasesPanel.tsx';
import { hasEnded, type Evaluated, type EvaluationRun, type EvaluationRunSummary } from './evaluations.ts';
import { Results } from './Results.tsx';
import { RunSet } from './RunSet.tsx';
import { RunsPanel } from './RunsPanel.tsx';

const RUNNING_MS = 1_500;

/** The evaluation set of an agent: its cases, a run of them with its price before, and the results beside the public version. */
export function EvaluationsTab({ of }: { of: Evaluated }) {
  const { agentId } = of;
  const [{ evaluation }, setSearch] = useSearchState();
  const [edited, setEdited] = useState<number | 'new'>();
  const path = { agent_id: agentId };
  const set = useAnswer(['evaluations', agentId, 'set'], (signal) =>
    api.GET('/v1/publisher/agents/{agent_id}/evaluation-set', { params: { path }, signal }),
  );
  const runs = usePages<EvaluationRunSummary>(
    ['evaluations', agentId, 'runs'],
    (cursor, signal) =>
      api.GET('/v1/publisher/agents/{agent_id}/evaluation-runs', { params: { path, query: { cursor } }, signal }),
    { liveMs: RUNNING_MS * 2 },
  );
  const shownId = evaluation ?? runs.rows?.[0]?.id;
  const run = useRunOfSet(agentId, shownId, of.isPublic);
  if (set.error && !set.data) return <TableFailure error={set.error} retry={() => void set.refetch()} />;
  if (!set.data || !runs.rows) return <Skeleton height={360} radius="md" />;
  const hasCases = set.data.cases.length > 0;
  const show = (id: string) => setSearch({ evaluation: id });
  return (
    <>
      <div className={hasCases || shownId ? 'draft' : undefined}>
        <Stack gap="sm">
          {shownId && <Results run={run.data} error={run.error} isPublic={of.isPublic} agentId={agentId} />}
          <CasesPanel of={of} set={set.data} onEdit={setEdited} />
        </Stack>
        {(hasCases || shownId) && (
          <aside className="draft-side" aria-label="Run">
            {hasCases && <RunSet of={of} set={set.data} ended={runs.rows.filter(hasEnded).length} onStarted={show} />}
            {runs.rows.length > 0 && <RunsPanel from={runs} shownId={shownId} onShow={show} />}
          </aside>
        )}
      </div>
      <CaseDialog of={of} set={set.data} at={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}

/** A run with its cases, followed until it has ended; beside the newest result of the public version. */
function useRunOfSet(agentId: string, id: string | undefined, isPublic: boolean) {
  return useAnswer<EvaluationRun>(
    ['evaluations', agentId, 'run', id],
    (signal) =>
      api.GET('/v1/publisher/agents/{agent_id}/evaluation-runs/{evaluation_run_id}', {
        params: {
          path: { agent_id: agentId, evaluation_run_id: id! },
          query: isPublic ? { against: 'live' } : {},
        },
        signal,
      }),
    {
      enabled: id !== undefined,
      refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? RUNNING_MS : false),
    },
  );
}
