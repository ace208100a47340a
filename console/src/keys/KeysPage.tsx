import { Badge, Box, Button, Group, Progress, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accounts } from '../api/accounts.ts';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Ago, centsText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { KeyActions } from './KeyActions.tsx';
import { CreateKey } from './KeyDialogs.tsx';
import { keyState, scopeLabel, spentOf, treeOf, type Key } from './keyTypes.ts';

export default function KeysPage() {
  const { role, workspace } = useMe();
  const mayWrite = role === 'owner' || role === 'developer';
  const [{ create }, setSearch] = useSearchState();
  const [showsAll, setShowsAll] = useState(false);
  const keys = useAnswer(['keys'], (signal) => api.GET('/console/v1/keys', { signal }), { refetchInterval: 10_000 });
  const members = useQuery({
    queryKey: ['members', 'of keys', workspace.id],
    queryFn: () => accounts.listMembers(workspace.id),
    staleTime: 60_000,
  });
  const present = members.data && new Set(members.data.members.map(({ userId }) => userId));
  const rows =
    keys.data &&
    treeOf(keys.data.data.filter((key) => showsAll || keyState(key) === 'live')).map((key) => ({
      ...key,
      isOfFormer: present !== undefined && key.owner_user_id !== null && !present.has(key.owner_user_id),
    }));
  return (
    <>
      <PageHeader
        title="Keys"
        description="A key calls the API for this workspace and spends its balance. Give each program its own, with limits of its own."
        actions={mayWrite && <Button onClick={() => setSearch({ create: '1' })}>Create a key</Button>}
      />
      <Stack>
        <Switch
          label="Show revoked and expired keys"
          checked={showsAll}
          onChange={(event) => setShowsAll(event.currentTarget.checked)}
        />
        <DataTable
          label="Keys"
          isStacked
          columns={mayWrite ? [...COLUMNS, ACTIONS] : COLUMNS}
          from={{ rows, error: keys.error, isLoading: keys.isLoading, retry: () => void keys.refetch() }}
          rowKey={({ id }) => id}
          empty={
            <>
              <Text fw={600}>No keys yet</Text>
              <Text c="dimmed" size="sm">
                Create one to make the first call.
              </Text>
            </>
          }
        />
      </Stack>
      {mayWrite && <CreateKey isOpen={create !== undefined} onClose={() => setSearch({ create: undefined })} />}
    </>
  );
}

type Row = Key & {
  level: number;
  /** Whether its maker has left the workspace. */
  isOfFormer: boolean;
};

const COLUMNS: Column<Row>[] = [
  {
    title: 'Name',
    cell: (key) => (
      <Box className="cell-name" pl={key.level * 20}>
        <Group gap={6} wrap="nowrap">
          <Text fw={600} size="sm" truncate maw={220} title={key.name}>
            {key.name}
          </Text>
          <StateBadge of={key} />
        </Group>
        <span className="id">{key.prefix}…</span>
        {key.isOfFormer ? (
          <Text size="xs" className="text-bad">
            Made by {key.created_by}, who is no longer a member
          </Text>
        ) : (
          key.parent_id !== null && (
            <Text size="xs" c="dimmed">
              Made by {key.created_by}
            </Text>
          )
        )}
      </Box>
    ),
  },
  { title: 'May do', visibleFrom: 'lg', cell: (key) => <Text size="sm">{key.scopes.map(scopeLabel).join(', ')}</Text> },
  { title: 'Today', isNumber: true, visibleFrom: 'sm', cell: (key) => <Money usd={key.spend_daily} isRounded /> },
  { title: 'This month', isNumber: true, cell: (key) => <Money usd={key.spend_monthly} isRounded /> },
  { title: 'Limits', cell: (key) => <Limits of={key} /> },
  { title: 'Last used', visibleFrom: 'lg', cell: (key) => <Ago at={key.last_used_at} /> },
];

const ACTIONS: Column<Row> = {
  title: 'Actions',
  isTitleHidden: true,
  isNumber: true,
  cell: (key) => (keyState(key) === 'revoked' ? null : <KeyActions of={key} />),
};

function StateBadge({ of: key }: { of: Key }) {
  const state = keyState(key);
  if (state !== 'live')
    return (
      <Badge color="gray" variant="outline" className="badge-plain">
        {state}
      </Badge>
    );
  const isRotating = key.previous_expires_at !== null && new Date(key.previous_expires_at) > new Date();
  if (!isRotating) return null;
  return (
    <Badge
      color="gray"
      variant="outline"
      className="badge-plain"
      title={`The earlier secret works until ${key.previous_expires_at}`}
    >
      rotating
    </Badge>
  );
}

function Limits({ of: key }: { of: Key }) {
  const spent = spentOf(key);
  const rates = [
    key.rpm_limit !== null && `${key.rpm_limit} a minute`,
    key.concurrency_limit !== null && `${key.concurrency_limit} at once`,
    key.allowed_agents !== null && `runs ${key.allowed_agents.join(', ') || 'no agents'}`,
    key.allowed_ips !== null && `${key.allowed_ips.length} ${key.allowed_ips.length === 1 ? 'address' : 'addresses'}`,
  ].filter(Boolean);
  if (key.spend_limit === null && rates.length === 0) return <Text size="sm">None</Text>;
  return (
    <div className="cell-limits">
      {key.spend_limit !== null && (
        <>
          <Text size="sm" className="number">
            {spent !== null && `${centsText(spent)} of `}
            {centsText(key.spend_limit)}
            {key.spend_limit_period && ` ${key.spend_limit_period}`}
          </Text>
          {spent !== null && <SpentBar spent={spent} limit={key.spend_limit} name={key.name} />}
        </>
      )}
      {rates.length > 0 && (
        <Text size="xs" c="dimmed">
          {rates.join(', ')}
        </Text>
      )}
    </div>
  );
}

function SpentBar({ spent, limit, name }: { spent: number; limit: number; name: string }) {
  const share = limit === 0 ? 100 : Math.min(100, (spent / limit) * 100);
  return (
    <Progress
      value={share}
      color={share >= 90 ? 'red.7' : 'ledger.7'}
      size="sm"
      my={4}
      aria-label={`${name}: ${Math.round(share)} % of the limit is used`}
    />
  );
}
