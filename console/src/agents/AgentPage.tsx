import { Anchor, Code, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { components } from '../api/openapi.d.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { Count, DateTime, durationText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { runSnippets } from '../playground/snippets.ts';
import { Fact } from '../runs/RunView.tsx';
import { shareText, type Quality } from './quality.ts';
import { TryAgent } from './TryAgent.tsx';

type Agent = components['schemas']['Agent'];

export default function AgentPage() {
  const { namespace, slug } = useParams({ strict: false }) as { namespace: string; slug: string };
  const params = { path: { namespace, slug } };
  const agent = useAnswer(['agents', 'one', namespace, slug], (signal) =>
    api.GET('/v1/agents/{namespace}/{slug}', { params, signal }),
  );
  const quality = useAnswer(['quality', `${namespace}/${slug}`], (signal) =>
    api.GET('/v1/agents/{namespace}/{slug}/quality', { params, signal }),
  );
  const me = useMe();
  if (agent.error && !agent.data) {
    const list = { path: '/agents', name: 'All agents' };
    const retry = () => void agent.refetch();
    return <PageFailure title="Agent" id={`${namespace}/${slug}`} error={agent.error} retry={retry} list={list} />;
  }
  if (!agent.data) return <Skeleton height={320} />;
  const { data } = agent;
  return (
    <>
      <PageHeader
        title={data.name}
        description={data.description}
        actions={
          <Anchor component={Link} {...pageAt('/runs', { agent: data.id })}>
            Runs of this agent
          </Anchor>
        }
      />
      <Stack gap="lg">
        <About agent={data} quality={quality.data} />
        <Types agent={data} />
        <Panel title="Try it">
          <TryAgent agent={data} />
        </Panel>
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Prices agent={data} />
          <Panel title="Call it">
            <CodeSnippets snippets={runSnippets(me.features.api_url, data.id)} label="Run this agent by" />
          </Panel>
        </SimpleGrid>
      </Stack>
    </>
  );
}

function About({ agent, quality }: { agent: Agent; quality: Quality | undefined }) {
  const { provider, data_policy: policy } = agent;
  return (
    <Panel title="About">
      <dl className="facts">
        {agent.icon_url !== null && (
          <Fact name="Icon">
            <img src={new URL(agent.icon_url).pathname} alt={`The icon of ${agent.name}`} width={48} height={48} />
          </Fact>
        )}
        <Fact name="Name for calls">
          <span className="id">{agent.id}</span>
        </Fact>
        <Fact name="Publisher">
          {provider.name}
          {provider.verified ? ' (verified)' : ''}
        </Fact>
        <Fact name="Version">{agent.version}</Fact>
        <Fact name="Takes">
          {agent.input.data ? 'Data' : 'Text'}
          {agent.input.files ? ' and files' : ''}
        </Fact>
        <Fact name="Returns">{agent.output_types.join(', ')}</Fact>
        <Fact name="Model">
          <span className="id">{agent.model}</span>
        </Fact>
        <Fact name="Tools">{namesOf(agent) || 'none'}</Fact>
        <Fact name="Completed">
          {shareText(quality?.completion_rate)} of <Count value={quality?.runs} unit="runs" />
        </Fact>
        <Fact name="Median cost">
          <Money usd={quality?.median_cost_usd} />
        </Fact>
        <Fact name="Median time">
          {durationText(
            typeof quality?.median_duration_seconds === 'number' ? quality.median_duration_seconds * 1000 : null,
          )}
        </Fact>
        <Fact name="Data">
          {policy.retention_days === null ? policy.retention : `kept ${policy.retention_days} days`},{' '}
          {policy.training ? 'may be trained on' : 'no training'}
        </Fact>
      </dl>
    </Panel>
  );
}

const namesOf = ({ tools, plugins }: Agent) =>
  [...tools, ...plugins.map(({ plugin_id: id, version }) => `${id} ${version}`)].join(', ');

/** The examples of an agent, and the schemas of its input and output. */
function Types({ agent: { example_prompts: examples, input_schema: input, output_schema: output } }: { agent: Agent }) {
  const schemas = { 'Schema of the input': input, 'Schema of the output': output };
  return (
    <Panel title="What it takes and returns">
      <Stack gap="sm">
        <Text>For example:</Text>
        <ul>
          {examples.map((example) => (
            <li key={example}>{example}</li>
          ))}
        </ul>
        {Object.entries(schemas).map(
          ([name, schema]) =>
            schema && (
              <div key={name}>
                <Text>{name}</Text>
                <Code block tabIndex={0}>
                  {JSON.stringify(schema, null, 2)}
                </Code>
              </div>
            ),
        )}
      </Stack>
    </Panel>
  );
}

function Prices({ agent: { pricing, upcoming_version: upcoming } }: { agent: Agent }) {
  return (
    <Stack gap="lg">
      <PriceList title="Prices" pricing={pricing} />
      {upcoming && (
        <PriceList
          title={`Announced prices of version ${upcoming.version}`}
          when={
            <>
              From <DateTime at={upcoming.effective_at} /> on, runs that name no version use this one.{' '}
            </>
          }
          pricing={upcoming.pricing}
        />
      )}
    </Stack>
  );
}

function PriceList({ title, when, pricing }: { title: string; when?: ReactNode; pricing: Agent['pricing'] }) {
  return (
    <Panel
      title={title}
      description={
        <>
          {when}A run costs <Money usd={pricing.minimum_cost_usd} /> to <Money usd={pricing.maximum_cost_usd} />, with a
          network fee of {pricing.network_fee_percentage} % on top of the meters.
        </>
      }
    >
      <div className="table-region" role="region" aria-label={`Price of each meter: ${title}`} tabIndex={0}>
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Meter</Table.Th>
              <Table.Th scope="col" className="is-end">
                Price
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pricing.meters.map((meter) => (
              <Table.Tr key={meter.id}>
                <Table.Td>
                  {meter.id.replaceAll('_', ' ')}
                  <Text size="sm" c="dimmed">
                    {meter.description}
                  </Text>
                </Table.Td>
                <Table.Td className="is-end">
                  <Money usd={meter.unit === 'token' ? meter.price_usd * 1e6 : meter.price_usd} />
                  <Text size="sm" c="dimmed">
                    per {meter.unit === 'token' ? 'million tokens' : meter.unit}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Panel>
  );
}
