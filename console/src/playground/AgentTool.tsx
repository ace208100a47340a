import { Anchor, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TryAgent } from '../agents/TryAgent.tsx';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { components } from '../api/openapi.d.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago } from '../parts/figures.tsx';
import { digitsOf, Money } from '../parts/Money.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { useSearchState } from '../parts/useSearchState.ts';
import { RunStatus } from '../runs/RunStatus.tsx';
import { AgentPicker } from './AgentPicker.tsx';
import { CodeDrawer } from './CodeDrawer.tsx';
import { runSnippets } from './snippets.ts';

type Agent = components['schemas']['Agent'];

/** Runs an agent. Its history is that of the workspace. */
export default function AgentTool() {
  const agents = useAnswer(['agents', 'all'], (signal) =>
    api.GET('/v1/agents', { params: { query: { limit: 100 } }, signal }),
  );
  const { features } = useMe();
  const [{ agent: asked }, setSearch] = useSearchState();
  if (agents.error && !agents.data) return <TableFailure error={agents.error} retry={() => void agents.refetch()} />;
  if (!agents.data) return <Skeleton height={240} />;
  const agent = agents.data.data.find(({ id }) => id === asked) ?? agents.data.data[0];
  if (!agent) return <NoAgents />;
  return (
    <div className="bench bench-agent">
      <CodeDrawer
        label="Run this agent by"
        snippets={() => runSnippets(features.api_url, { id: agent.id, maximumUsd: agent.pricing.maximum_cost_usd })}
      />
      <section className="bench-input" aria-label="Agent">
        <AgentPicker agents={agents.data.data} value={agent} onChange={(id) => setSearch({ agent: id })} />
        <p className="result-text">{agent.description}</p>
        <Prices agent={agent} />
      </section>
      <section className="bench-result" aria-label="Run">
        <TryAgent key={agent.id} agent={agent} />
      </section>
      <RecentRuns agent={agent.id} />
    </div>
  );
}

const NoAgents = () => (
  <EmptyState drawing="run" title="No agents yet">
    Published agents appear here, ready to run.
  </EmptyState>
);

function Prices({ agent: { id, pricing } }: { agent: Agent }) {
  return (
    <p className="bench-facts">
      A run costs <Money usd={pricing.minimum_cost_usd} /> to <Money usd={pricing.maximum_cost_usd} />.{' '}
      <Anchor className="bench-link" component={Link} {...{ to: `/agents/${id}` }} inherit>
        Details
      </Anchor>
    </p>
  );
}

const RECENT = 6;

function RecentRuns({ agent }: { agent: string }) {
  const query = { agent, limit: RECENT };
  const runs = useAnswer(['runs', 'list', query], (signal) => api.GET('/v1/runs', { params: { query }, signal }));
  if (!runs.data || runs.data.data.length === 0) return null;
  const digits = digitsOf(runs.data.data.map(({ usage }) => usage.total_usd));
  return (
    <section className="bench-input bench-recent" aria-labelledby="recent-runs">
      <h2 className="chat-start-heading" id="recent-runs">
        Recent runs
      </h2>
      <ul className="history" aria-label="Recent runs">
        {runs.data.data.map(({ id, status, created_at: at, usage }) => (
          <li key={id} className="history-item">
            <Link className="history-open recent-run" {...{ to: `/runs/${id}` }}>
              <RunStatus status={status} />
              <span className="history-facts">
                <Money usd={usage.total_usd} digits={digits} /> · <Ago at={at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Anchor size="xs" className="bench-link" component={Link} {...pageAt('/runs', { agent })}>
        All runs of this agent
      </Anchor>
    </section>
  );
}
