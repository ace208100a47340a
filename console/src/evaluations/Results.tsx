import './evaluations.css';
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Confirmed } from '../parts/Confirmed.tsx';
import { DataTable, TableFailure, type Column } from '../parts/DataTable.tsx';
import { Fact } from '../parts/Fact.tsx';
import { secondsText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import { CaseDrawer } from './CaseDrawer.tsx';
import { CASE_STATES, hasEnded, RUN_STATES, type CaseResult, type EvaluationRun } from './evaluations.ts';

/** A run of the set: how many cases passed, and each case beside the public version. */
export function Results({
  run,
  error,
  agentId,
  isPublic,
}: {
  run: EvaluationRun | undefined;
  error: Error | null;
  agentId: string;
  isPublic: boolean;
}) {
  if (error && !run) return <TableFailure error={error} />;
  if (!run) return <Skeleton height={320} radius="md" />;
  const note =
    isPublic && !run.comparison ? 'The public version was not run with the set: run it, to compare.' : undefined;
  return (
    <Panel
      title="Results"
      description={note ?? `Version ${run.version}`}
      actions={hasEnded(run) ? undefined : <Cancel run={run} agentId={agentId} />}
    >
      <RunResults run={run} hasRuns />
    </Panel>
  );
}

/** The results of a run. `hasRuns`: the cases' runs can be opened, because they are of this workspace. */
export function RunResults({ run, hasRuns = false }: { run: EvaluationRun; hasRuns?: boolean }) {
  const [shown, setShown] = useState<string>();
  const { comparison, result_counts: counts } = run;
  const passed = `${counts.passed} of ${counts.total}`;
  return (
    <Stack gap="md">
      <dl className="step-facts">
        <Fact name="Result">
          <Status {...RUN_STATES[run.status]} />
        </Fact>
        <Fact name="Passed">{passed}</Fact>
        <Fact name="Cost">
          <Money usd={run.cost_usd} />
        </Fact>
        {comparison && (
          <Fact name="Public version">
            <Status {...RUN_STATES[comparison.status as EvaluationRun['status']]} />
          </Fact>
        )}
      </dl>
      <Tally counts={counts} />
      {run.error && <Text size="sm">{run.error.message}</Text>}
      {comparison && comparison.regressions.length > 0 && (
        <Text size="sm" className="text-bad">
          Passed with the public version, and not here: {comparison.regressions.join(', ')}.
        </Text>
      )}
      {comparison && comparison.fixes.length > 0 && (
        <Text size="sm">Fixed since the public version: {comparison.fixes.join(', ')}.</Text>
      )}
      <DataTable<CaseResult>
        label="Results of the cases"
        from={{ rows: run.cases, error: null, isLoading: false }}
        rowKey={({ name }) => name}
        empty="No cases."
        columns={columnsOf(Boolean(comparison), setShown)}
      />
      <CaseDrawer
        of={run.cases.find(({ name }) => name === shown)}
        hasRuns={hasRuns}
        onClose={() => setShown(undefined)}
      />
    </Stack>
  );
}

function columnsOf(isCompared: boolean, onShow: (name: string) => void): Column<CaseResult>[] {
  const compared: Column<CaseResult>[] = [
    {
      title: 'Public version',
      cell: ({ against }) => (against ? <Status {...CASE_STATES[against.status]} /> : '—'),
    },
  ];
  return [
    {
      title: 'Case',
      cell: ({ name }) => (
        <button type="button" className="case-link" onClick={() => onShow(name)}>
          {name}
        </button>
      ),
    },
    {
      title: 'This version',
      cell: ({ status, against }) => (
        <>
          <Status {...CASE_STATES[status]} />
          {against?.change === 'regression' && <span className="for-readers">, a regression</span>}
        </>
      ),
    },
    ...(isCompared ? compared : []),
    { title: 'Cost', isNumber: true, visibleFrom: 'sm', usd: (row) => row.cost_usd + row.judge_cost_usd },
    { title: 'Time', isNumber: true, visibleFrom: 'sm', cell: (row) => secondsText(row.duration_seconds) },
  ];
}

function Tally({ counts: { total, passed, failed, errored } }: { counts: EvaluationRun['result_counts'] }) {
  const parts = [
    ['tally-passed', passed],
    ['tally-failed', failed],
    ['tally-errored', errored],
  ] as const;
  return (
    <div className="evaluation-tally" aria-hidden>
      {parts.map(([className, count]) => (
        <span key={className} className={className} style={{ width: `${(count / Math.max(1, total)) * 100}%` }} />
      ))}
    </div>
  );
}

function Cancel({ run: { id }, agentId }: { run: EvaluationRun; agentId: string }) {
  const cancel = useChange(
    () =>
      answerOf(
        api.POST('/v1/publisher/agents/{agent_id}/evaluation-runs/{evaluation_run_id}/cancel', {
          params: { path: { agent_id: agentId, evaluation_run_id: id } },
        }),
      ),
    { stale: [['evaluations', agentId]], done: 'The run is being cancelled' },
  );
  return (
    <Confirmed
      title="Cancel this evaluation?"
      confirmLabel="Cancel evaluation"
      change={cancel}
      trigger={(ask) => (
        <Button variant="default" size="xs" loading={cancel.isPending} onClick={ask}>
          Cancel
        </Button>
      )}
    >
      Its open runs are cancelled; what they have used so far is billed. The other cases do not run and cost nothing.
    </Confirmed>
  );
}
