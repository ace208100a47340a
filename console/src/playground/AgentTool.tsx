import { Select, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { TryAgent } from '../agents/TryAgent.tsx';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { TableFailure } from '../parts/DataTable.tsx';
import { Panel } from '../parts/Panel.tsx';
import { runSnippets } from './snippets.ts';

export default function AgentTool() {
  const agents = useAnswer(['agents', 'all'], (signal) =>
    api.GET('/v1/agents', { params: { query: { limit: 100 } }, signal }),
  );
  const { features } = useMe();
  const [id, setId] = useState<string | null>(null);
  if (agents.error) return <TableFailure error={agents.error} retry={() => void agents.refetch()} />;
  if (!agents.data) return <Skeleton height={240} />;
  const agent = agents.data.data.find((one) => one.id === id) ?? agents.data.data[0];
  if (!agent) return <Text c="dimmed">No agent is published here yet.</Text>;
  return (
    <Stack gap="lg">
      <Panel title="Agent">
        <Stack>
          <Select
            label="Agent"
            searchable
            allowDeselect={false}
            data={agents.data.data.map((one) => ({ value: one.id, label: `${one.name} (${one.id})` }))}
            value={agent.id}
            onChange={setId}
          />
          <Text c="dimmed">{agent.description}</Text>
          <TryAgent key={agent.id} agent={agent} />
        </Stack>
      </Panel>
      <Panel title="Code">
        <CodeSnippets snippets={runSnippets(features.api_url, agent.id)} label="Run this agent by" />
      </Panel>
    </Stack>
  );
}
