import { Button, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { answerOf, api, sendJson } from '../api/client.ts';
import { useAnswer, useChange, usePages } from '../api/hooks.ts';
import { Confirmed } from '../parts/Confirmed.tsx';
import { DataTable } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago } from '../parts/figures.tsx';
import { IconAction } from '../parts/IconAction.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Channels } from './Channels.tsx';
import type { PublisherAgent, Version } from './configuration.ts';
import { Changes } from './reviewParts.tsx';

/** The frozen versions, the difference between two, and the rollback. */
export function VersionsTab({ agent }: { agent: PublisherAgent }) {
  const versions = usePages<Version>(['publisher', 'versions', agent.id], (cursor, signal) =>
    api.GET('/v1/publisher/agents/{agent_id}/versions', {
      params: { path: { agent_id: agent.id }, query: { limit: 50, cursor } },
      signal,
    }),
  );
  const liveId = agent.public_deployment?.version_id;
  const privateId = agent.private_deployment?.version_id;
  const { version_id: nextId, rollout } = agent.public_submission ?? {};
  const next = rollout?.state === 'scheduled' ? 'Scheduled' : rollout?.state === 'rolling' && 'Rolling out';
  const uses = (id: string) =>
    [id === liveId && 'Public', id === nextId && next, id === privateId && 'Private'].filter(Boolean).join(', ');
  return (
    <Stack gap="lg" className="in-order">
      {versions.rows && versions.rows.length > 0 && <Channels agent={agent} versions={versions.rows} />}
      <DataTable<Version>
        label="Versions"
        isStacked
        from={versions}
        rowKey={({ id }) => id}
        empty={NO_VERSIONS}
        columns={[
          { title: 'Version', cell: ({ version }) => version },
          { title: 'Draft revision', isNumber: true, visibleFrom: 'sm', cell: (version) => version.source_revision },
          { title: 'Created', cell: ({ created_at: at }) => <Ago at={at} /> },
          { title: 'Deployed', cell: ({ id }) => uses(id) || '—' },
          {
            title: 'Actions',
            isTitleHidden: true,
            // What was never submitted was never public.
            cell: (version) =>
              version.was_submitted
                ? liveId && version.id !== liveId && <MakePublicAgain agentId={agent.id} version={version} />
                : version.id !== privateId && <Delete version={version} />,
          },
        ]}
      />
      {versions.rows && versions.rows.length > 1 && <Comparison agent={agent} versions={versions.rows} />}
    </Stack>
  );
}

function MakePublicAgain({ agentId, version: { id, version } }: { agentId: string; version: Version }) {
  const rollback = useChange(() => sendJson(`/v1/publisher/agents/${agentId}/rollback`, { version_id: id }), {
    stale: [['publisher']],
    done: `Version ${version} is public again`,
  });
  return (
    <Confirmed
      title={`Make version ${version} public again?`}
      confirmLabel="Make public again"
      change={rollback}
      trigger={(ask) => (
        <Button size="xs" variant="default" onClick={ask}>
          Make public again<span className="for-readers"> version {version}</span>
        </Button>
      )}
    >
      New runs of all callers get it at once, in place of the present version. Runs that have begun keep theirs.
    </Confirmed>
  );
}

function Delete({ version: { id, version } }: { version: Version }) {
  const remove = useChange(
    () => answerOf(api.DELETE('/v1/publisher/agent-versions/{version_id}', { params: { path: { version_id: id } } })),
    { stale: [['publisher', 'versions']], done: 'Version deleted' },
  );
  return (
    <Confirmed
      title={`Delete version ${version}?`}
      confirmLabel="Delete version"
      change={remove}
      trigger={(ask) => (
        <IconAction tip="Delete" name={`Delete version ${version}`} onClick={ask}>
          <TrashIcon aria-hidden />
        </IconAction>
      )}
    >
      It cannot be restored. The draft stays as it is.
    </Confirmed>
  );
}

const NO_VERSIONS = (
  <EmptyState drawing="rows" title="No versions yet">
    Deploying or submitting the draft freezes it into a version, which never changes.
  </EmptyState>
);

function Comparison({ agent, versions }: { agent: PublisherAgent; versions: Version[] }) {
  const [from, setFrom] = useState(versions[1]!.id);
  const [to, setTo] = useState(versions[0]!.id);
  const difference = useAnswer(['publisher', 'diff', agent.id, from, to], (signal) =>
    api.GET('/v1/publisher/agents/{agent_id}/versions/{a}/diff/{b}', {
      params: { path: { agent_id: agent.id, a: from, b: to } },
      signal,
    }),
  );
  const data = versions.map(({ id, version }) => ({ value: id, label: version }));
  return (
    <Panel title="Compare">
      <Stack>
        <SimpleGrid cols={2}>
          <Select label="From" data={data} value={from} allowDeselect={false} onChange={(id) => setFrom(id ?? from)} />
          <Select label="To" data={data} value={to} allowDeselect={false} onChange={(id) => setTo(id ?? to)} />
        </SimpleGrid>
        {difference.error && <Text className="text-bad">The versions could not be compared.</Text>}
        {difference.data && <Changes changes={difference.data.changes} />}
      </Stack>
    </Panel>
  );
}
