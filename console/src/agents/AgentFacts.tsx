import { Anchor } from '@mantine/core';
import type { components } from '../api/openapi.d.ts';
import { Fact } from '../parts/Fact.tsx';
import { countText, secondsText } from '../parts/figures.tsx';
import { Money, digitsOf } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { WorkspaceLogo } from '../parts/WorkspaceLogo.tsx';
import { shareText, useQuality } from './quality.ts';
import { countOf } from '../parts/totals.tsx';
import { capitalised } from '../parts/capitalised.ts';

type Agent = components['schemas']['Agent'];

/** How well the agent does for its callers, who publishes it, and what it works with. */
export function AgentFacts({ agent }: { agent: Agent }) {
  const { provider, data_policy: policy } = agent;
  return (
    <>
      <QualityPanel agent={agent} />
      <Panel title="About">
        <dl className="side-facts">
          <Fact name="Publisher">
            {provider.logo_url !== null && <WorkspaceLogo name={provider.name} url={provider.logo_url} size={16} />}
            <Website provider={provider} />
            {provider.verified ? ', verified' : ''}
          </Fact>
          <Fact name="Version">{agent.version}</Fact>
          <Fact name="Categories">
            <span className="agent-card-tags">{agent.categories.join(', ')}</span>
          </Fact>
          <Fact name="Input">
            {agent.input.data ? 'Data' : 'Text'}
            {agent.input.files ? ' and files' : ''}
          </Fact>
          <Fact name="Output">{outputText(agent)}</Fact>
          <Fact name="Model">
            <span className="id">{agent.model}</span>
          </Fact>
          <Fact name="Tools">{toolsOf(agent) || 'None'}</Fact>
          <Fact name="Data">
            {policy.retention_days === null ? policy.retention : `Kept ${countOf(policy.retention_days, 'day')}`},{' '}
            {policy.training ? 'may be trained on' : 'no training'}
          </Fact>
          {policy.hosts.length > 0 && <Fact name="Sends data to">{policy.hosts.join(', ')}</Fact>}
          {policy.remembers && (
            <Fact name="Memory">
              Of your users, for you alone
              {policy.memory_days === null ? '' : `, kept ${countOf(policy.memory_days, 'day')}`}
            </Fact>
          )}
        </dl>
      </Panel>
    </>
  );
}

function QualityPanel({ agent: { id } }: { agent: Agent }) {
  const { data } = useQuality(id);
  return (
    <Panel title="Quality" description={`Runs of the last ${countOf(data?.days ?? 30, 'day')}`}>
      <dl className="side-facts">
        <Fact name="Completed">{shareText(data?.completion_rate)}</Fact>
        <Fact name="Median cost">
          <Money usd={data?.median_cost_usd} digits={digitsOf([data?.median_cost_usd])} />
        </Fact>
        <Fact name="Median duration">{secondsText(data?.median_duration_seconds)}</Fact>
        <Fact name="Refunded">{shareText(data?.refund_rate)}</Fact>
        <Fact name="Runs">{data ? countText(data.runs) : '—'}</Fact>
      </dl>
    </Panel>
  );
}

function Website({ provider: { name, website } }: { provider: Agent['provider'] }) {
  if (!website.startsWith('https://')) return name;
  return (
    <Anchor href={website} target="_blank" rel="noreferrer noopener">
      {name}
    </Anchor>
  );
}

/** `text`, `file` as `Text and files`. */
function outputText({ output_types: types }: Agent): string {
  return capitalised(types.map((type) => (type === 'file' ? 'files' : type)).join(' and '));
}

const toolsOf = ({ tools, http_tools: own, plugins }: Agent) =>
  [...tools, ...own.map(({ name }) => name), ...plugins.map(({ plugin_id: id, version }) => `${id} ${version}`)].join(
    ', ',
  );
