import './agents.css';
import { Alert, Button, Checkbox, FileInput, Group, NumberInput, Stack } from '@mantine/core';
import { PlayIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { uploadFile } from '../files/uploadFile.ts';
import { usdInput } from '../parts/figures.tsx';
import { Form } from '../parts/Form.tsx';
import { RunView } from '../runs/RunView.tsx';
import type { Run } from '../runs/runEvents.ts';
import { exampleText, OrderInput, type Tried } from './OrderInput.tsx';

interface Order {
  text: string;
  files: File[];
  maxUsd: number | string;
  isPaused: boolean;
}

/**
 * Starts a run of an agent and shows it live. With `visibility` private it runs the workspace's own private version; with `draftOf`, the
 * draft of the agent with that id. Each start of a run calls `onRun`.
 */
export function TryAgent({
  agent,
  visibility,
  draftOf,
  onRun,
}: {
  agent: Tried;
  visibility?: 'private';
  draftOf?: string;
  onRun?: () => void;
}) {
  const { role, scopes } = useMe();
  const [order, setOrder] = useState<Order>({
    text: agent.input.data ? exampleText(agent) : '',
    files: [],
    maxUsd: usdInput(agent.pricing.maximum_cost_usd),
    isPaused: false,
  });
  const [runId, setRunId] = useState<string | null>(null);
  const start = useChange(() => startRun({ agent, visibility, draftOf }, order), {
    stale: [['runs', 'list']],
    onSuccess: ({ id }) => {
      setRunId(id);
      onRun?.();
    },
    onError: () => {},
  });
  if (!scopes.includes('llm'))
    return <Alert color="gray">Your role is {role}: you can read runs, but not start them.</Alert>;
  const isEmpty = !order.text.trim() && order.files.length === 0;
  return (
    <Stack>
      <Form error={start.error} onSubmit={() => start.mutate(undefined)}>
        <Stack gap="sm">
          <OrderFields agent={agent} order={order} onChange={(part) => setOrder({ ...order, ...part })} />
          <Group>
            <Button type="submit" leftSection={<PlayIcon />} loading={start.isPending} disabled={isEmpty}>
              Run
            </Button>
          </Group>
        </Stack>
      </Form>
      {runId && <RunView key={runId} id={runId} isBrief />}
    </Stack>
  );
}

async function startRun(
  { agent, visibility, draftOf }: { agent: Tried; visibility?: 'private' | undefined; draftOf?: string | undefined },
  order: Order,
): Promise<Run> {
  const input = [
    ...(order.text.trim() ? [itemOf(agent, order.text)] : []),
    ...(await Promise.all(order.files.map((file) => uploadFile(file, 'agent_input')))).map((id) => ({
      type: 'input_file',
      file_id: id,
    })),
  ];
  const path = draftOf === undefined ? '/v1/runs' : `/v1/publisher/agents/${draftOf}/test-runs`;
  return sendJson<Run>(path, {
    ...(draftOf === undefined && { agent: agent.id }),
    input,
    max_cost_usd: Number(order.maxUsd),
    on_limit: order.isPaused ? 'pause' : 'stop',
    ...(visibility && { visibility }),
  });
}

function OrderFields({
  agent,
  order,
  onChange,
}: {
  agent: Tried;
  order: Order;
  onChange: (part: Partial<Order>) => void;
}) {
  const { input, pricing } = agent;
  return (
    <>
      <OrderInput agent={agent} text={order.text} onChange={(text) => onChange({ text })} />
      {input.files && (
        <FileInput
          label="Files"
          multiple
          clearable
          placeholder="Choose files"
          accept={input.accepted_media_types.join(',')}
          value={order.files}
          onChange={(files) => onChange({ files })}
          clearButtonProps={{ 'aria-label': 'Remove the files' }}
        />
      )}
      <Group align="flex-end" gap="lg">
        <NumberInput
          label="Spend limit"
          data-param="max_cost_usd"
          prefix="$"
          hideControls
          w={150}
          value={order.maxUsd}
          onChange={(maxUsd) => onChange({ maxUsd })}
          min={pricing.minimum_cost_usd}
          max={pricing.maximum_cost_usd}
          decimalScale={9}
          step={0.01}
        />
        <Checkbox
          label="Ask before stopping at the limit"
          checked={order.isPaused}
          onChange={(event) => onChange({ isPaused: event.currentTarget.checked })}
          mb={8}
        />
      </Group>
    </>
  );
}

function itemOf({ input }: Tried, text: string): object {
  if (!input.data) return { type: 'input_text', text };
  try {
    return { type: 'input_data', data: JSON.parse(text) as object };
  } catch {
    throw new Error('The input is not JSON: write an object that fits the JSON schema.');
  }
}
