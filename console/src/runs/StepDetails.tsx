import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { FilePreview } from '../files/FilePreview.tsx';
import { TableFailure } from '../parts/DataTable.tsx';
import { Fact } from '../parts/Fact.tsx';
import { DateTime, countText, durationText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Readable } from '../parts/Readable.tsx';
import { Status, type Tone } from '../parts/Status.tsx';
import { Rerun } from './Rerun.tsx';
import { isOver } from './RunStatus.tsx';
import type { Run, Step } from './runEvents.ts';
import { kindText, StepIcon } from './StepIcon.tsx';

const STATES: Record<Step['state'], [word: string, tone: Tone]> = {
  running: ['Running', 'busy'],
  done: ['Done', 'good'],
  failed: ['Failed', 'bad'],
  retrying: ['Retrying', 'held'],
  reused: ['Reused', 'quiet'],
};

/** The chosen step: what went in, what came out, and what it cost. */
export function StepDetails({ run, step }: { run: Run; step: Step }) {
  const [word, tone] = STATES[step.state];
  const tookMs = step.endedAt === null ? null : Date.parse(step.endedAt) - Date.parse(step.startedAt);
  return (
    <section className="inset" aria-label={`Step ${step.name}`}>
      <header className="trace-step-head">
        <StepIcon step={step} />
        <h3>
          {step.name} <span className="trace-step-kind">{kindText(step.kind)}</span>
        </h3>
        <Status tone={tone} word={word} />
      </header>
      <dl className="step-facts">
        <Fact name="Duration">{durationText(tookMs)}</Fact>
        {step.inputTokens !== null && (
          <Fact name="Tokens">
            {countText(step.inputTokens)} in / {countText(step.outputTokens ?? 0)} out
          </Fact>
        )}
        {step.costUsd !== null && (
          <Fact name="Cost">
            <Money usd={step.costUsd} />
          </Fact>
        )}
        <Fact name="Start">
          <span title={new Date(step.startedAt).toISOString()}>{startText(run, step)}</span>
        </Fact>
      </dl>
      <Attempts step={step} />
      {step.reasoning !== '' && <Readable title="Reasoning" text={step.reasoning} isMarkdown isShort />}
      <Content run={run} step={step} />
      <WrittenFile run={run} step={step} />
      {step.name === 'call_agent' && <CalledRun runId={run.id} stepId={step.id} />}
      {isOver(run.status) && run.input !== null && <Rerun run={run} step={{ id: step.id, label: step.name }} />}
    </section>
  );
}

/** When it began, from the start of the run as on the axis. */
function startText({ started_at: begun, created_at: created }: Run, { startedAt }: Step): string {
  return `+${durationText(Math.max(0, Date.parse(startedAt) - Date.parse(begun ?? created)))}`;
}

function Attempts({ step }: { step: Step }) {
  const failed = step.attempts.filter(({ code }) => code !== null);
  return (
    <>
      {(failed.length > 1 || step.attempt > 1) && (
        <ul className="plain-list">
          {failed.map(({ number, code, startedAt, endedAt }) => (
            <li key={number}>
              Attempt {number} failed: <span className="id">{code}</span>
              {endedAt && ` after ${durationText(Date.parse(endedAt) - Date.parse(startedAt))}`}
            </li>
          ))}
        </ul>
      )}
      {step.retryAt && (
        <Text size="sm">
          Next attempt: <DateTime at={step.retryAt} />
        </Text>
      )}
      {step.message && (
        <Text size="sm" className={step.state === 'failed' ? 'text-bad' : undefined}>
          {step.message}
        </Text>
      )}
      {step.doing && <Text size="sm">{step.doing}</Text>}
    </>
  );
}

/** Arguments and result: their beginnings at first, all of what the model wrote, and all of any step on request. */
function Content({ run, step }: { run: Run; step: Step }) {
  const [isWhole, setWhole] = useState(false);
  const isWritten = (step.kind === 'model' || step.kind === 'compaction') && step.endedAt !== null;
  if (isWhole || isWritten) return <WholeStep run={run} step={step} />;
  return (
    <>
      {step.arguments !== null && <Readable title="Input" text={step.arguments} />}
      {step.preview !== null && step.preview !== '' && <Readable title="Output" text={step.preview} />}
      {step.isCut && (
        <Button variant="default" size="xs" className="step-more" onClick={() => setWhole(true)}>
          Show all
        </Button>
      )}
    </>
  );
}

const useStep = (runId: string, stepId: string) =>
  useAnswer(
    ['runs', runId, 'steps', stepId],
    (signal) =>
      api.GET('/v1/runs/{run_id}/steps/{step_id}', { params: { path: { run_id: runId, step_id: stepId } }, signal }),
    { staleTime: Infinity },
  );

function WholeStep({ run, step: { id, kind } }: { run: Run; step: Step }) {
  const step = useStep(run.id, id);
  if (step.error && !step.data) return <TableFailure error={step.error} retry={() => void step.refetch()} />;
  if (!step.data) return <Skeleton height={120} />;
  const { arguments: input, result, instructions } = step.data;
  const calls = result?.tool_calls ?? [];
  return (
    <Stack gap="sm">
      {instructions && (
        <details>
          <summary className="step-fold">Instructions</summary>
          <Readable title="Text" text={instructions} isMarkdown isShort />
        </details>
      )}
      {input && <Readable title="Input" text={input} />}
      {result && result.text !== '' && (
        <Readable title="Output" text={result.text} isMarkdown={kind === 'model'} isShort />
      )}
      {calls.map((call) => (
        <Readable key={call.id} title={`Call of ${call.name}`} text={call.arguments} />
      ))}
    </Stack>
  );
}

/** The file of the run's output that a step has written. */
function WrittenFile({ run, step }: { run: Run; step: Step }) {
  const path = pathIn(step.arguments);
  const file = run.output.find((item) => item.type === 'output_file' && path?.split('/').at(-1) === item.filename);
  if (file?.type !== 'output_file') return null;
  const { file_id: id, filename, media_type: mediaType, size_bytes: sizeBytes } = file;
  return <FilePreview id={id} name={filename} mediaType={mediaType} sizeBytes={sizeBytes} showsPicture />;
}

function pathIn(input: string | null): string | undefined {
  const [, path] = /"(?:path|filename|name)"\s*:\s*"([^"]+)"/.exec(input ?? '') ?? [];
  return path;
}

/** The run of another agent started by a step. */
function CalledRun({ runId, stepId }: { runId: string; stepId: string }) {
  const child = useStep(runId, stepId).data?.child_run;
  if (!child) return null;
  return (
    <Text size="sm">
      Started <Link {...{ to: `/runs/${child.id}` }}>{child.id}</Link>: {child.status.replaceAll('_', ' ')},{' '}
      <Money usd={child.total_usd} />
    </Text>
  );
}
