import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { queueText } from '../flow/flowText.ts';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Ago, countText, durationText, secondsText } from '../parts/figures.tsx';
import { HeadlineMoney, Money } from '../parts/Money.tsx';
import { countOf } from '../parts/totals.tsx';
import { isOver, RunStatus } from './RunStatus.tsx';
import type { Progress, Run } from './runEvents.ts';
import { useClock } from './useClock.ts';

/** The state of a run in figures, and why it did not complete. */
export function RunSummary({ run, progress, stream }: { run: Run; progress: Progress; stream: string }) {
  const { usage, max_cost_usd: capUsd } = run;
  const costUsd = usage.settled ? usage.total_usd : (progress.totalUsd ?? usage.total_usd);
  const childrenUsd = usage.settled ? usage.children_usd : (progress.childrenUsd ?? usage.children_usd);
  return (
    <div>
      <Figures label="State of the run">
        <Figure
          label="Status"
          value={
            // What changes every second, such as the duration and the cost, is not announced.
            <span className="figure-text" aria-live="polite">
              <RunStatus status={run.status} queue={run.queue} />
            </span>
          }
        >
          <span aria-live="polite">
            {run.queue && `${queueText(run.queue)}. `}
            {run.status_reason === 'waits_for_worker' && 'Waits for a worker. '}
            {stream === 'retrying' && 'Reconnecting…'}
          </span>
          {stream !== 'retrying' && !run.queue && <Ago at={run.completed_at ?? run.started_at ?? run.created_at} />}
        </Figure>
        <Figure label={usage.settled ? 'Cost' : 'Cost so far'} value={<HeadlineMoney usd={costUsd} />}>
          of at most <Money usd={capUsd} />
          <CostBar share={capUsd > 0 ? costUsd / capUsd : 0} />
          {childrenUsd > 0 && (
            <>
              and <Money usd={childrenUsd} /> for agents that it called
            </>
          )}
        </Figure>
        <Figure label="Duration" value={<Duration run={run} isLive={stream !== 'retrying'} />}>
          {progress.steps.length > 0 && countOf(progress.steps.length, 'step')}
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
          {filesText(run.output.filter(({ type }) => type === 'output_file').length)}
        </Figure>
      </Figures>
      <Causes run={run} />
    </div>
  );
}

/** The duration of a run so far, or in total. It stops while no events arrive, because the run may have ended. */
function Duration({ run, isLive }: { run: Run; isLive: boolean }) {
  const { duration_seconds: seconds, started_at: startedAt, status } = run;
  const isOpen = !isOver(status) && startedAt !== null;
  const nowMs = useClock(isOpen && isLive);
  if (seconds !== null) return secondsText(seconds);
  return isOpen ? spanText(nowMs - Date.parse(startedAt)) : '—';
}

/** Whole seconds below a minute: it still grows. */
const spanText = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : durationText(seconds * 1_000);
};

const filesText = (count: number): string => (count === 0 ? 'No files written' : `${countOf(count, 'file')} written`);

const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`;

function CostBar({ share }: { share: number }) {
  return (
    <span className="cost-bar" aria-hidden>
      {share > 0 && <span data-full={share >= 1 || undefined} style={{ width: `${Math.min(1, share) * 100}%` }} />}
    </span>
  );
}

const LIMITS: Record<NonNullable<Run['limit']>['kind'], string> = {
  max_cost: 'Stopped at its spend limit',
  key_spend: 'Stopped at the spend limit of the key',
  balance: 'Stopped: the balance is used up',
  timeout: 'Stopped at its timeout',
  steps: 'Stopped at its maximum of steps',
  model_output_limit: 'Stopped at the model’s maximum of output tokens',
};

const FAULTS: Record<NonNullable<Run['fault']>, string> = {
  provider: 'Failed at the model provider',
  agent: 'Failed in the agent',
  caller: 'Failed because of its input',
  platform: 'Failed because of an internal error',
};

/** How much of a limit was used, in the limit's unit. */
function LimitUse({ limit: { kind, used, value } }: { limit: NonNullable<Run['limit']> }) {
  switch (kind) {
    case 'max_cost':
    case 'key_spend':
    case 'balance':
      return (
        <>
          <Money usd={used} /> of <Money usd={value} />
        </>
      );
    case 'timeout':
      return `${countText(used)} of ${countOf(value, 'second')}`;
    case 'steps':
      return `${countText(used)} of ${countOf(value, 'step')}`;
    case 'model_output_limit':
      return `${countText(used)} of ${countOf(value, 'token')}`;
    default:
      return kind satisfies never;
  }
}

/** Why a run did not complete. */
function Causes({ run }: { run: Run }) {
  const [, successor] = /^superseded by (run_\w+)$/.exec(run.status_reason ?? '') ?? [];
  if (successor)
    return (
      <Alert color="gray" mt="sm" title="Superseded">
        A newer order of the same burst took its place: <Link {...{ to: `/runs/${successor}` }}>open its run</Link>.
      </Alert>
    );
  if (run.error)
    return (
      <Alert color="red" mt="sm" title={run.fault ? FAULTS[run.fault] : 'Failed'}>
        {run.error.message} <span className="id">{run.error.code}</span>
      </Alert>
    );
  if (run.limit)
    return (
      <Alert color="yellow" mt="sm" title={LIMITS[run.limit.kind] ?? 'A limit was reached'}>
        <LimitUse limit={run.limit} />
      </Alert>
    );
  return null;
}
