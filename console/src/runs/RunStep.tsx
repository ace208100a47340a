import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { DateTime, countText, durationText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Rerun } from './Rerun.tsx';
import { isOver } from './RunStatus.tsx';
import type { Run, Step } from './runEvents.ts';

const STATES: Record<Step['state'], [text: string, look: string]> = {
  running: ['Running', 'text-good'],
  done: ['Done', ''],
  failed: ['Failed', 'text-bad'],
  retrying: ['Retrying', 'text-warn'],
  reused: ['Reused', ''],
};

/** One step of a run's timeline: a line that unfolds to its arguments, attempts, tokens and result. */
export function RunStep({ run, step }: { run: Run; step: Step }) {
  const [text, look] = STATES[step.state];
  const tookMs = step.endedAt === null ? null : Date.parse(step.endedAt) - Date.parse(step.startedAt);
  return (
    <li className="run-step" data-state={step.state}>
      <details>
        <summary>
          <span className="step-name">
            <span className="step-kind">{step.kind}</span> {step.name}
            {step.attempt > 1 && ` (attempt ${step.attempt})`}
          </span>
          <span className={`status ${look}`}>{text}</span>
          <span className="number">{tookMs === null ? '' : durationText(tookMs)}</span>
          <span className="number">{step.costUsd === null ? '' : <Money usd={step.costUsd} />}</span>
        </summary>
        <StepDetails run={run} step={step} />
      </details>
      {step.retryAt && (
        <Text size="sm">
          {step.message}: the next attempt begins <DateTime at={step.retryAt} />
        </Text>
      )}
      {!step.retryAt && step.message && <Text size="sm">{step.message}</Text>}
      {step.doing && <Text size="sm">{step.doing}</Text>}
    </li>
  );
}

function StepDetails({ run, step }: { run: Run; step: Step }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <Stack gap="xs" className="step-details">
      <dl className="facts">
        <div>
          <dt>Started</dt>
          <dd>
            <DateTime at={step.startedAt} />
          </dd>
        </div>
        {step.inputTokens !== null && (
          <div>
            <dt>Tokens</dt>
            <dd>
              {countText(step.inputTokens)} in, {countText(step.outputTokens ?? 0)} out
            </dd>
          </div>
        )}
      </dl>
      {step.failures.length > 0 && (
        <Text size="sm">
          {step.failures.map(({ attempt, code }) => `Attempt ${attempt} failed: ${code}.`).join(' ')}
        </Text>
      )}
      {step.reasoning !== '' && <Block title="Reasoning" text={step.reasoning} />}
      {isWhole ? (
        <WholeStep runId={run.id} stepId={step.id} />
      ) : (
        <>
          {step.arguments !== null && <Block title="Arguments" text={readable(step.arguments)} look="code" />}
          {step.preview !== null && step.preview !== '' && <Block title="Result" text={step.preview} />}
          {step.isCut && (
            <Button variant="default" size="xs" className="step-more" onClick={() => setWhole(true)}>
              Show all of it
            </Button>
          )}
        </>
      )}
      {step.name === 'call_agent' && <CalledRun runId={run.id} stepId={step.id} />}
      {isOver(run.status) && run.input !== null && <Rerun run={run} step={{ id: step.id, label: step.name }} />}
    </Stack>
  );
}

/** The whole arguments and result of a step. */
function WholeStep({ runId, stepId }: { runId: string; stepId: string }) {
  const step = useAnswer(['runs', runId, 'steps', stepId], (signal) =>
    api.GET('/v1/runs/{run_id}/steps/{step_id}', { params: { path: { run_id: runId, step_id: stepId } }, signal }),
  );
  if (step.error) return <TableFailure error={step.error} retry={() => void step.refetch()} />;
  return (
    <>
      {step.data?.arguments && <Block title="Arguments" text={readable(step.data.arguments)} look="code" />}
      {step.data?.result && <Block title="Result" text={step.data.result.text} />}
    </>
  );
}

/** The run of another agent started by a step. */
function CalledRun({ runId, stepId }: { runId: string; stepId: string }) {
  const step = useAnswer(['runs', runId, 'steps', stepId], (signal) =>
    api.GET('/v1/runs/{run_id}/steps/{step_id}', { params: { path: { run_id: runId, step_id: stepId } }, signal }),
  );
  const child = step.data?.child_run;
  if (!child) return null;
  return (
    <Text size="sm">
      Started <Link {...{ to: `/runs/${child.id}` }}>{child.id}</Link>, which is {child.status.replaceAll('_', ' ')} and
      costs <Money usd={child.total_usd} />
    </Text>
  );
}

function Block({ title, text, look = 'written' }: { title: string; text: string; look?: 'code' | 'written' }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <pre className={look} tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}

/** JSON in lines; anything else, such as truncated JSON, unchanged. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
