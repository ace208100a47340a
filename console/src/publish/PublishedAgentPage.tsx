import { Anchor, Skeleton, Stack, Tabs } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { TryAgent } from '../agents/TryAgent.tsx';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { DraftTab } from './DraftTab.tsx';
import { QualityTab } from './QualityTab.tsx';
import { ReviewTab } from './ReviewTab.tsx';
import { VersionsTab } from './VersionsTab.tsx';
import type { Configuration, PublisherAgent } from './configuration.ts';

const REVIEW_MS = 3_000;

export default function PublishedAgentPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [{ tab = 'draft' }, setSearch] = useSearchState();
  const path = { agent_id: id };
  const agent = useAnswer(
    ['publisher', 'agents', id],
    (signal) => api.GET('/v1/publisher/agents/{agent_id}', { params: { path }, signal }),
    { refetchInterval: ({ state }) => (state.data?.public_submission?.status === 'in_review' ? REVIEW_MS : false) },
  );
  const draft = useAnswer(
    ['publisher', 'agents', id, 'draft', agent.data?.draft_revision],
    (signal) => api.GET('/v1/publisher/agents/{agent_id}/draft', { params: { path }, signal }),
    { enabled: agent.data !== undefined },
  );
  const error = agent.error ?? draft.error;
  if (error && !(agent.data && draft.data)) {
    const list = { path: '/publish', name: 'Your agents' };
    const retry = () => void (agent.error ? agent : draft).refetch();
    return <PageFailure title="Agent" id={id} error={error} retry={retry} list={list} />;
  }
  if (!agent.data || !draft.data) return <Skeleton height={360} />;
  const { data } = agent;
  const name = `${data.namespace}/${data.slug}`;
  return (
    <>
      <PageHeader
        title={data.name || data.slug}
        description={<span className="id">{name}</span>}
        actions={
          data.public_deployment?.status === 'active' && (
            <Anchor component={Link} {...{ to: `/agents/${name}` }}>
              Its public page
            </Anchor>
          )
        }
      />
      <Tabs value={tab} onChange={(value) => setSearch({ tab: value ?? 'draft' })} keepMounted={false}>
        <Tabs.List aria-label="Parts of the agent" mb="lg">
          <Tabs.Tab value="draft">Draft</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
          <Tabs.Tab value="review">Review</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
          <Tabs.Tab value="quality">Quality</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="draft">
          <DraftTab key={data.draft_revision} agent={data} draft={draft.data} />
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TryOut agent={data} draft={draft.data} />
        </Tabs.Panel>
        <Tabs.Panel value="review">
          <ReviewTab agent={data} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <VersionsTab agent={data} />
        </Tabs.Panel>
        <Tabs.Panel value="quality">
          <QualityTab agent={data} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Runs of the draft, and of the private version once it exists. */
function TryOut({ agent, draft }: { agent: PublisherAgent; draft: Configuration }) {
  const { minimum_cost_usd: minimumUsd, maximum_cost_usd: maximumUsd } = draft.pricing;
  const tried = (leastUsd: number, mostUsd: number) => ({
    id: `${agent.namespace}/${agent.slug}`,
    input: inputOf(draft),
    pricing: { minimum_cost_usd: leastUsd, maximum_cost_usd: mostUsd } as never,
  });
  return (
    <Stack>
      <Panel title="The draft" description="As it was saved last, at the platform’s cost; it counts in no statistic.">
        <TryAgent draftOf={agent.id} agent={tried(0, maximumUsd || DRAFT_USD_MAX)} />
      </Panel>
      {agent.private_deployment && (
        <Panel title="The private version" description="It runs in this workspace alone, at its price.">
          <TryAgent visibility="private" agent={tried(minimumUsd, maximumUsd)} />
        </Panel>
      )}
    </Stack>
  );
}

// A draft without a price may cost this much.
const DRAFT_USD_MAX = 1;

const inputOf = ({ input_schema: schema, tools }: Configuration) => ({
  text: !schema,
  data: Boolean(schema),
  files: tools.length > 0,
  accepted_media_types: [],
});
