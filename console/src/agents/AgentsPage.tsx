import '../parts/work.css';
import { Button, Center, Group, Select, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import type { components } from '../api/openapi.d.ts';
import { useAnswer, usePages } from '../api/hooks.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { centsText, DateTime, usdText } from '../parts/figures.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { qualityText } from './quality.ts';

type Agent = components['schemas']['Agent'];

const CATEGORIES = ['coding', 'data', 'research', 'writing', 'support', 'other'];

export default function AgentsPage() {
  const [{ q, category }, setSearch] = useSearchState();
  const [words] = useDebouncedValue(q ?? '', 200);
  const agents = usePages<Agent>(['agents', words, category], (cursor, signal) =>
    api.GET('/v1/agents', {
      params: {
        query: { ...(words.trim() && { search: words.trim() }), ...(category && { category }), limit: 24, cursor },
      },
      signal,
    }),
  );
  return (
    <>
      <PageHeader
        title="Agents"
        description="Published agents. Each run has a limit on its cost, and a failed one is free."
      />
      <Group mb="lg" align="flex-end">
        <TextInput
          className="grows"
          label="Search"
          placeholder="Words of the name or description"
          value={q ?? ''}
          onChange={(event) => setSearch({ q: event.currentTarget.value })}
        />
        <Select
          label="Category"
          placeholder="All"
          clearable
          searchable
          data={[
            ...new Set([...CATEGORIES, ...(agents.rows ?? []).flatMap(({ categories }) => categories)]),
          ].toSorted()}
          value={category ?? null}
          onChange={(value) => setSearch({ category: value ?? '' })}
          clearButtonProps={{ 'aria-label': 'Show every category' }}
        />
      </Group>
      {agents.error && !agents.rows && <TableFailure error={agents.error} retry={agents.retry} />}
      {agents.rows?.length === 0 && <Text c="dimmed">No agent fits.</Text>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} component="ul" className="cards">
        {agents.rows?.map((agent) => (
          <AgentCard key={agent.id} agent={agent} />
        ))}
        {agents.isLoading &&
          Array.from({ length: 6 }, (_, at) => <Skeleton key={at} component="li" height={190} radius="md" />)}
      </SimpleGrid>
      {agents.hasMore && (
        <Center mt="md">
          <Button variant="default" onClick={agents.loadMore} loading={agents.isLoadingMore}>
            Show more
          </Button>
        </Center>
      )}
    </>
  );
}

function AgentCard({ agent }: { agent: Agent }) {
  const [namespace, slug] = agent.id.split('/') as [string, string];
  const quality = useAnswer(
    ['quality', agent.id],
    (signal) => api.GET('/v1/agents/{namespace}/{slug}/quality', { params: { path: { namespace, slug } }, signal }),
    { staleTime: 60_000 },
  );
  const { minimum_cost_usd: low, maximum_cost_usd: high } = agent.pricing;
  return (
    <li className="panel panel-padded card">
      <Stack gap={6} h="100%">
        <Link to={`/agents/${agent.id}`} className="card-link">
          {agent.name}
        </Link>
        <Text size="sm" c="dimmed" className="id">
          {agent.id} {agent.provider.verified && '· verified publisher'}
        </Text>
        <Text size="sm" lineClamp={3} className="grows-down">
          {agent.description}
        </Text>
        <Text size="sm">{agent.categories.join(', ')}</Text>
        {agent.upcoming_version && (
          <Text size="sm" className="text-warn">
            Dearer from <DateTime at={agent.upcoming_version.effective_at} />
          </Text>
        )}
        <Group justify="space-between" gap="xs">
          <Text size="sm">{quality.data ? qualityText(quality.data) : ' '}</Text>
          <Text size="sm" className="number">
            {low > 0 ? `${usdText(low)} to ` : 'up to '}
            {centsText(high)}
          </Text>
        </Group>
      </Stack>
    </li>
  );
}
