import { CheckCircledIcon, CheckIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../api/openapi.d.ts';
import { DateTime, secondsText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { countOf } from '../parts/totals.tsx';
import { AgentIcon } from './AgentIcon.tsx';
import { plainText, priceText } from './priceText.ts';
import { shareText, useQuality, type Quality } from './quality.ts';

type Agent = components['schemas']['Agent'];

/** What a card shows, also of a draft that is not in the catalogue yet. */
type Carded = Pick<Agent, 'id' | 'name' | 'description' | 'categories' | 'icon_url'> & {
  provider: Pick<Agent['provider'], 'name' | 'verified'>;
  pricing: Pick<Agent['pricing'], 'minimum_cost_usd' | 'maximum_cost_usd'>;
  upcoming_version: Pick<NonNullable<Agent['upcoming_version']>, 'effective_at'> | null;
  deprecation?: Pick<NonNullable<Agent['deprecation']>, 'sunset_at'> | null;
};

/** An agent of the catalogue: what it is, what a run costs, and how well it does. */
export function AgentCard({ agent }: { agent: Agent }) {
  const quality = useQuality(agent.id, { staleTime: 60_000, enabled: agent.runs > 0 });
  return (
    <li>
      <CardFace
        agent={agent}
        name={
          <Link to={`/agents/${agent.id}`} className="card-link">
            {agent.name}
          </Link>
        }
        foot={<QualityLine runs={agent.runs} quality={quality.data} />}
      />
    </li>
  );
}

export function CardFace({ agent, name, foot }: { agent: Carded; name: ReactNode; foot: ReactNode }) {
  return (
    <article className="panel agent-card">
      <div className="agent-card-head">
        <AgentIcon id={agent.id} url={agent.icon_url} />
        <div className="agent-card-title">
          <h2>{name}</h2>
          <p>
            <span className="agent-card-publisher">{agent.provider.name}</span>
            {agent.provider.verified && (
              <span className="agent-verified" title="Verified publisher">
                <CheckCircledIcon width={13} height={13} aria-hidden />
                <span className="for-readers">, verified publisher</span>
              </span>
            )}
          </p>
        </div>
        <span className="price-chip number">{priceText(agent.pricing)}</span>
      </div>
      <p className="agent-card-text">{plainText(agent.description)}</p>
      {agent.upcoming_version && (
        <p className="agent-card-note">
          New price from <DateTime at={agent.upcoming_version.effective_at} />
        </p>
      )}
      {agent.deprecation && (
        <p className="agent-card-note">
          Deprecated: ends <DateTime at={agent.deprecation.sunset_at} />
        </p>
      )}
      <div className="agent-card-foot">
        <span className="agent-card-tags">{agent.categories.join(' · ')}</span>
        {foot}
      </div>
    </article>
  );
}

function QualityLine({ runs, quality }: { runs: number; quality: Quality | undefined }) {
  if (runs === 0) return <span>No runs yet</span>;
  const seconds = quality?.median_duration_seconds;
  return (
    <span className="agent-card-figures number">
      {quality?.completion_rate !== undefined && (
        <span className="agent-card-share" title="Completion rate of the last 30 days">
          <CheckIcon width={13} height={13} aria-hidden />
          {shareText(quality.completion_rate)}
        </span>
      )}
      {typeof quality?.median_cost_usd === 'number' && (
        <span title="Median cost of a run">
          <Money usd={quality.median_cost_usd} isRounded />
        </span>
      )}
      {typeof seconds === 'number' && <span title="Median duration of a run">{secondsText(seconds)}</span>}
      <span>{countOf(runs, 'run')}</span>
    </span>
  );
}
