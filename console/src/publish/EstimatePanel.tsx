import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { countText } from '../parts/figures.tsx';
import { exactDigitsOf, HeadlineMoney, Money } from '../parts/Money.tsx';
import { meterName } from '../agents/names.ts';
import type { Configuration } from './configuration.ts';
import { useEstimate, type Estimate, type Quantities } from './useEstimate.ts';

/** What a run like the example costs its caller, and what of it its publisher gets. */
export function EstimatePanel({
  agentId,
  draft,
  quantities,
}: {
  agentId: string;
  draft: Configuration;
  quantities: Quantities | undefined;
}) {
  const { data, error } = useEstimate(agentId, draft, quantities);
  return (
    <section className="panel estimate" aria-label="Estimate" aria-live="polite">
      {error && <p className="draft-note">Set valid prices to see what a run costs and earns.</p>}
      {!error && !data && <Skeleton height={150} />}
      {!error && data && <Shown estimate={data} />}
    </section>
  );
}

function Shown({ estimate }: { estimate: Estimate }) {
  const { total_usd: total, earned_usd: earned, platform_cost_usd: cost, network_fee_usd: fee } = estimate;
  const isRaised = estimate.lines.some(({ meter }) => meter === 'minimum_cost');
  const isCut = total > 0 && total === estimate.pricing.maximum_cost_usd;
  const parts = [
    { name: 'You get', usd: earned, className: 'estimate-earned' },
    { name: 'Model and sandbox', usd: cost, className: 'estimate-cost' },
    { name: 'Network fee', usd: fee, className: 'estimate-fee' },
  ];
  const digits = exactDigitsOf(parts.map(({ usd }) => usd));
  return (
    <>
      <p className="estimate-sentence">A run like your example costs about</p>
      <div className="estimate-figures">
        <div>
          <span className="estimate-value">
            <HeadlineMoney usd={total} />
          </span>
          <span className="estimate-label">callers pay</span>
        </div>
        <div>
          <span className="estimate-value estimate-mine">
            <HeadlineMoney usd={earned} />
          </span>
          <span className="estimate-label">you get</span>
        </div>
      </div>
      <span className="estimate-bar" aria-hidden>
        {parts.map(({ name, usd, className }) => (
          <span key={name} className={className} style={{ width: `${total > 0 ? (usd / total) * 100 : 0}%` }} />
        ))}
      </span>
      <dl className="side-facts">
        {parts.map(({ name, usd, className }) => (
          <div key={name}>
            <dt>
              <span className={`estimate-dot ${className}`} aria-hidden />
              {name}
            </dt>
            <dd>
              <Money usd={usd} digits={digits} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="draft-note">
        <Basis estimate={estimate} />
        {isRaised && ' Raised to the minimum of a run.'}
        {isCut && ' Cut to the maximum of a run.'}
      </p>
    </>
  );
}

const quantityName = (meter: string): string =>
  meter === 'sandbox_seconds' ? 'seconds of sandbox' : meterName(meter).toLowerCase();

/** Where the quantities are from, and which they are. */
function Basis({ estimate: { based_on: basis, run_id: runId, quantities } }: { estimate: Estimate }) {
  const used = Object.entries(quantities)
    .filter(([, count]) => (count ?? 0) > 0)
    .map(([meter, count]) => `${countText(count ?? 0)} ${quantityName(meter)}`)
    .join(', ');
  if (basis === 'run' && runId)
    return (
      <>
        As <Link {...{ to: `/runs/${runId}` }}>your last run</Link> used: {used}.
      </>
    );
  return <>{basis === 'assumed' ? `Until you try it, assumed: ${used}.` : `With ${used || 'nothing used'}.`}</>;
}
