import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { CopiedId } from '../parts/CopiedId.tsx';
import { TableFailure } from '../parts/DataTable.tsx';
import { Fact } from '../parts/Fact.tsx';
import { countText, DateTime, secondsText, unitName } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Readable, ReadableData } from '../parts/Readable.tsx';
import type { Run, Step } from '../runs/runEvents.ts';
import { RunStatus } from '../runs/RunStatus.tsx';
import { Waterfall } from '../runs/Waterfall.tsx';
import { callerText, FAULTS, type AgentRunStep } from './agentRuns.ts';

/** One run of an agent for its publisher: how it ended, its steps, and what was asked and answered where that is shared. */
export function AgentRunView({ agentId, runId }: { agentId: string; runId: string }) {
  const path = { agent_id: agentId, run_id: runId };
  const run = useAnswer(['publisher', 'run', runId], (signal) =>
    api.GET('/v1/publisher/agents/{agent_id}/runs/{run_id}', { params: { path }, signal }),
  );
  const steps = useAnswer(['publisher', 'run', runId, 'steps'], (signal) =>
    api.GET('/v1/publisher/agents/{agent_id}/runs/{run_id}/steps', {
      params: { path, query: { limit: 100 } },
      signal,
    }),
  );
  const error = run.error ?? steps.error;
  if (error && !(run.data && steps.data))
    return <TableFailure error={error} retry={() => void Promise.all([run.refetch(), steps.refetch()])} />;
  if (!run.data || !steps.data) return <Skeleton height={320} radius="md" />;
  const { data } = run;
  return (
    <Stack gap="md">
      <CopiedId id={data.id} name="Copy the run ID" />
      <dl className="agent-run-facts">
        <Fact name="Status">
          <RunStatus status={data.status} />
        </Fact>
        {data.error_code && (
          <Fact name={data.status === 'failed' ? 'Error' : 'Limit'}>
            <span className="id">{data.error_code}</span>
          </Fact>
        )}
        {data.fault && <Fact name="Fault">{FAULTS[data.fault]}</Fact>}
        <Fact name="Version">{data.version}</Fact>
        <Fact name="Caller">{callerText(data)}</Fact>
        <Fact name="Ended">
          <DateTime at={data.ended_at} />
        </Fact>
        <Fact name="Duration">{secondsText(data.duration_seconds)}</Fact>
        {data.meters.map(({ id, quantity }) => (
          <Fact key={id} name={unitName(id)}>
            {countText(quantity)}
          </Fact>
        ))}
        <Fact name="Paid by the caller">
          <Money usd={data.total_usd} />
        </Fact>
        <Fact name="Earned">
          <Money usd={data.earned_usd} />
        </Fact>
        {data.unbilled_usd > 0 && (
          <Fact name="Not billed">
            <Money usd={data.unbilled_usd} />
          </Fact>
        )}
      </dl>
      <Access access={data.content_access} until={data.shared_until} isDeleted={data.steps_deleted_at !== null} />
      {data.content?.error_message && <Readable title="Error message" text={data.content.error_message} />}
      {steps.data.data.length > 0 && <Trace run={data} steps={steps.data.data} />}
      {data.content && <ReadableData title="Input" value={data.content.input} />}
      {data.content && <ReadableData title="Output" value={data.content.output} />}
    </Stack>
  );
}

function Access({
  access,
  until,
  isDeleted,
}: {
  access: 'none' | 'shared' | 'own';
  until: string | null;
  isDeleted: boolean;
}) {
  if (isDeleted) return <Text size="sm">Its steps and its content are deleted.</Text>;
  if (access === 'own') return null;
  if (access === 'shared')
    return (
      <Alert color="green">
        Its caller shares what was asked and answered, until <DateTime at={until} />.
      </Alert>
    );
  return (
    <Text size="sm" c="dimmed">
      What was asked and answered stays with the caller. They can share this run on its page, or by POST /v1/runs/
      {'{run_id}'}/share.
    </Text>
  );
}

/** The steps on an axis of time; the chosen one with its content, where it is shared. */
function Trace({
  run,
  steps,
}: {
  run: { started_at: string | null; ended_at: string; status: Run['status'] };
  steps: AgentRunStep[];
}) {
  const failed = steps.find(({ is_error: isError }) => isError);
  const [chosenId, setChosenId] = useState(failed?.id ?? steps.at(-1)?.id);
  const step = steps.find(({ id }) => id === chosenId);
  const asRun = { status: run.status, started_at: run.started_at, completed_at: run.ended_at } as Run;
  return (
    <div className="agent-run-trace">
      <Waterfall isLive run={asRun} steps={steps.map(fallen)} chosenId={chosenId} onChoose={setChosenId} />
      {step?.error_code && (
        <Text size="sm" className="text-bad">
          {nameOf(step)}: <span className="id">{step.error_code}</span>
        </Text>
      )}
      {step?.content?.arguments && <Readable title="Arguments" text={step.content.arguments} isShort />}
      {step?.content?.result_preview && <Readable title="Result" text={step.content.result_preview} isShort />}
    </div>
  );
}

const nameOf = ({ name }: AgentRunStep): string => name ?? 'Unknown tool';

const fallen = (step: AgentRunStep): Step => ({
  id: step.id,
  kind: step.kind,
  name: nameOf(step),
  state: step.is_reused ? 'reused' : step.is_error ? 'failed' : 'done',
  attempt: step.attempt,
  startedAt: step.started_at,
  endedAt: step.ended_at,
  message: null,
  retryAt: null,
  reasoning: '',
  doing: null,
  arguments: null,
  preview: null,
  isCut: false,
  costUsd: step.cost_usd,
  inputTokens: step.input_tokens,
  outputTokens: step.output_tokens,
  attempts: step.is_reused
    ? []
    : [{ number: step.attempt, startedAt: step.started_at, endedAt: step.ended_at, code: step.error_code }],
});
