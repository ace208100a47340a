import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Ago, secondsText } from '../parts/figures.tsx';
import { HeadlineMoney, Money } from '../parts/Money.tsx';
import { isOver, RunStatus } from './RunStatus.tsx';
import type { Progress, Run } from './runEvents.ts';

/** The state of a run in figures, and why it did not complete. */
export function RunSummary({ run, progress, stream }: { run: Run; progress: Progress; stream: string }) {
  const { usage, max_cost_usd: capUsd } = run;
  const costUsd = usage.settled ? usage.total_usd : (progress.totalUsd ?? usage.total_usd);
  return (
    <div aria-live="polite">
      <Figures label="State of the run">
        <Figure label="Status" value={<span className="figure-text">{<RunStatus status={run.status} />}</span>}>
          {run.status_reason === 'waits_for_worker' && 'Waits for a worker. '}
          {stream === 'retrying' && 'Reconnecting…'}
          {stream !== 'retrying' && <Ago at={run.completed_at ?? run.started_at ?? run.created_at} />}
        </Figure>
        <Figure label={usage.settled ? 'Cost' : 'Cost so far'} value={<HeadlineMoney usd={costUsd} />}>
          of at most <Money usd={capUsd} />
          <CostBar share={capUsd > 0 ? costUsd / capUsd : 0} />
          {usage.children_usd > 0 && (
            <>
              and <Money usd={usage.children_usd} /> for agents that it called
            </>
          )}
        </Figure>
        <Figure label="Time" value={secondsText(run.duration_seconds)}>
          {progress.steps.length > 0 && `${progress.steps.length} ${progress.steps.length === 1 ? 'step' : 'steps'}`}
        </Figure>
        <Figure label="Version" value={<span className="figure-text">{run.version}</span>}>
          <Link {...{ to: `/agents/${run.agent}` }}>{run.agent}</Link>
        </Figure>
        <Figure
          label="Session"
          isWide
          value={
            <Link className="figure-text id" {...{ to: `/sessions/${run.session_id}` }}>
              {shortId(run.session_id)}
            </Link>
          }
        >
          {run.output.filter(({ type }) => type === 'output_file').length || 'No'} files written
        </Figure>
      </Figures>
      <Causes run={run} />
    </div>
  );
}

const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`;

function CostBar({ share }: { share: number }) {
  return (
    <span className="cost-bar" aria-hidden>
      <span data-full={share >= 1 || undefined} style={{ width: `${Math.min(1, share) * 100}%` }} />
    </span>
  );
}

const LIMITS: Record<NonNullable<Run['limit']>['kind'], string> = {
  max_cost: 'The run reached the most that it may cost',
  key_spend: 'The key’s spending limit was reached',
  balance: 'The balance was used up',
  timeout: 'The time was up',
  steps: 'The run made as many calls of its model as it may',
  model_output_limit: 'The answer is longer than the model writes',
};

/** Why a run did not complete. */
function Causes({ run }: { run: Run }) {
  if (run.error)
    return (
      <Alert color="red" mt="sm" title={run.fault ? `Failed: the fault of the ${run.fault}` : 'Failed'}>
        {run.error.message} <span className="id">{run.error.code}</span>
        {isOver(run.status) && ' A failed run costs nothing.'}
      </Alert>
    );
  if (run.limit)
    return (
      <Alert color="yellow" mt="sm" title={LIMITS[run.limit.kind] ?? 'A limit was reached'}>
        {run.limit.kind.replaceAll('_', ' ')}: {run.limit.used} of {run.limit.value}
      </Alert>
    );
  return null;
}
