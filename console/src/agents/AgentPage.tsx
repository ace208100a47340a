import './agents.css';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { components } from '../api/openapi.d.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { CopiedId } from '../parts/CopiedId.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { JsonTree } from '../parts/JsonTree.tsx';
import { Markdown } from '../parts/Markdown.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { Panel } from '../parts/Panel.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { runSnippets } from '../playground/snippets.ts';
import { AgentEnding, takesOrders } from './AgentEnding.tsx';
import { AgentFacts } from './AgentFacts.tsx';
import { AgentIcon } from './AgentIcon.tsx';
import { AgentPrices } from './AgentPrices.tsx';
import { TryAgent } from './TryAgent.tsx';

type Agent = components['schemas']['Agent'];

export default function AgentPage() {
  const namespace = usePathParam('namespace');
  const slug = usePathParam('slug');
  const params = { path: { namespace, slug } };
  const agent = useAnswer(['agents', 'one', namespace, slug], (signal) =>
    api.GET('/v1/agents/{namespace}/{slug}', { params, signal }),
  );
  const me = useMe();
  if (agent.error && !agent.data) {
    const list = { path: '/agents', name: 'All agents' };
    const retry = () => void agent.refetch();
    return <PageFailure title="Agent" id={`${namespace}/${slug}`} error={agent.error} retry={retry} list={list} />;
  }
  if (!agent.data) return <PageStart />;
  const { data } = agent;
  return (
    <>
      <Head agent={data} />
      <AgentEnding agent={data} />
      <div className="agent-page">
        <div>
          {takesOrders(data) && (
            <Panel title="Run">
              <TryAgent key={data.id} agent={data} />
            </Panel>
          )}
          <Panel title="Description">
            <Markdown text={data.description} />
          </Panel>
          <Schemas agent={data} />
          <Panel title="API">
            <CodeSnippets
              snippets={runSnippets(me.features.api_url, {
                id: data.id,
                maximumUsd: data.pricing.maximum_cost_usd,
              })}
              label="Run this agent by"
            />
          </Panel>
        </div>
        <div>
          <AgentPrices agent={data} />
          <AgentFacts agent={data} />
        </div>
      </div>
    </>
  );
}

function Head({ agent }: { agent: Agent }) {
  const { id, name, icon_url: iconUrl } = agent;
  return (
    <div className="agent-head">
      <AgentIcon id={id} url={iconUrl} size={44} />
      <PageHeader
        title={name}
        description={<CopiedId id={id} name="Copy the agent ID" />}
        actions={
          <Button component={Link} variant="default" {...pageAt('/runs', { agent: id })}>
            View runs
          </Button>
        }
      />
    </div>
  );
}

/** The JSON schemas of what it takes and returns. */
function Schemas({ agent: { input_schema: input, output_schema: output } }: { agent: Agent }) {
  const schemas = Object.entries({ 'Input schema': input, 'Output schema': output });
  return schemas.map(
    ([title, schema]) =>
      schema && (
        <Panel
          key={title}
          title={title}
          actions={<CopyButton value={JSON.stringify(schema, null, 2)} name={`Copy: ${title}`} />}
        >
          <JsonTree value={schema} />
        </Panel>
      ),
  );
}
