import './publish.css';
import { Button, Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { AgentIcon } from '../agents/AgentIcon.tsx';
import { AgentRunsTab } from '../agentRuns/AgentRunsTab.tsx';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { tabOf } from '../parts/tabOf.ts';
import { TabsLine } from '../parts/TabsLine.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { contentPath } from '../files/FilePreview.tsx';
import { EvaluationsTab } from '../evaluations/EvaluationsTab.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import type { Configuration, PublisherAgent } from './configuration.ts';
import { DraftTab } from './DraftTab.tsx';
import { QualityTab } from './QualityTab.tsx';
import { ReviewTab } from './ReviewTab.tsx';
import { SettingsTab } from './SettingsTab.tsx';
import { VersionsTab } from './VersionsTab.tsx';

const REVIEW_MS = 3_000;
const TABS = [
  { value: 'draft', label: 'Draft' },
  { value: 'evaluations', label: 'Evaluations' },
  { value: 'review', label: 'Review' },
  { value: 'versions', label: 'Versions' },
  { value: 'runs', label: 'Runs' },
  { value: 'quality', label: 'Quality' },
  { value: 'settings', label: 'Settings' },
];

export default function PublishedAgentPage() {
  const id = usePathParam('id');
  const [search, setSearch] = useSearchState();
  const tab = tabOf(TABS, search.tab);
  const path = { agent_id: id };
  const agent = useAnswer(
    ['publisher', 'agents', id],
    (signal) => api.GET('/v1/publisher/agents/{agent_id}', { params: { path }, signal }),
    { refetchInterval: ({ state }) => (state.data?.public_submission?.status === 'in_review' ? REVIEW_MS : false) },
  );
  const draft = useAnswer(
    ['publisher', 'agents', id, 'draft', agent.data?.draft_revision],
    (signal) => api.GET('/v1/publisher/agents/{agent_id}/draft', { params: { path }, signal }),
    { enabled: agent.data !== undefined, placeholderData: (before) => before },
  );
  const error = agent.error ?? draft.error;
  if (error && !(agent.data && draft.data)) {
    const list = { path: '/publish', name: 'Your agents' };
    const retry = () => void (agent.error ? agent : draft).refetch();
    return <PageFailure title="Agent" id={id} error={error} retry={retry} list={list} />;
  }
  if (!agent.data || !draft.data) return <PageStart />;
  const { data } = agent;
  const name = `${data.namespace}/${data.slug}`;
  const icon = draft.data.icon_file_id;
  return (
    <>
      <div className="agent-head">
        <AgentIcon id={name} url={icon ? contentPath(icon) : null} size={44} />
        <PageHeader
          title={data.name || data.slug}
          description={<span className="id">{name}</span>}
          actions={
            data.public_deployment?.status === 'active' && (
              <Button component={Link} variant="default" {...{ to: `/agents/${name}` }}>
                Public page
              </Button>
            )
          }
        />
      </div>
      <Tabs value={tab} onChange={(value) => setSearch({ tab: value ?? 'draft' })} keepMounted={false}>
        <TabsLine label="Parts of the agent" chosen={tab} tabs={TABS} mb="md" />
        <Panels agent={data} draft={draft.data} />
      </Tabs>
    </>
  );
}

function Panels({ agent, draft }: { agent: PublisherAgent; draft: Configuration }) {
  return (
    <>
      <Tabs.Panel value="draft">
        <DraftTab agent={agent} draft={draft} />
      </Tabs.Panel>
      <Tabs.Panel value="evaluations">
        <EvaluationsTab of={evaluatedOf(agent, draft)} />
      </Tabs.Panel>
      <Tabs.Panel value="review">
        <ReviewTab agent={agent} draft={draft} />
      </Tabs.Panel>
      <Tabs.Panel value="versions">
        <VersionsTab agent={agent} />
      </Tabs.Panel>
      <Tabs.Panel value="runs">
        <AgentRunsTab agentId={agent.id} />
      </Tabs.Panel>
      <Tabs.Panel value="quality">
        <QualityTab agent={agent} />
      </Tabs.Panel>
      <Tabs.Panel value="settings">
        <SettingsTab agent={agent} />
      </Tabs.Panel>
    </>
  );
}

const evaluatedOf = ({ id, public_deployment: live }: PublisherAgent, draft: Configuration) => ({
  agentId: id,
  isTyped: Boolean(draft.input_schema),
  examples: draft.example_prompts,
  isPublic: live?.status === 'active',
});
