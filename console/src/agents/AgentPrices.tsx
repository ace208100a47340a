import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { components } from '../api/openapi.d.ts';
import { CopiedId } from '../parts/CopiedId.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { meterName } from './names.ts';

type Agent = components['schemas']['Agent'];
type Meter = Agent['pricing']['meters'][number];

/** What a run costs now, and from the day of an announced version on. */
export function AgentPrices({ agent: { pricing, upcoming_version: upcoming, channels } }: { agent: Agent }) {
  return (
    <>
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
      {channels.length > 0 && <Channels channels={channels} />}
    </>
  );
}

/** The named channels, with the most that a run of each costs, now and from an announced day on. */
function Channels({ channels }: { channels: Agent['channels'] }) {
  return (
    <Panel title="Channels" description="Order one by its name, in place of the agent’s.">
      <dl className="side-facts">
        {channels.map(({ agent, version, pricing, upcoming_version: upcoming }) => (
          <div key={agent} className="is-wrapped" title={`Version ${version}`}>
            <dt>
              <CopiedId id={agent} name={`Copy ${agent}`} />
            </dt>
            <dd>
              up to <Money usd={pricing.maximum_cost_usd} />
              {upcoming && (
                <Text span size="xs" c="dimmed" display="block">
                  <Money usd={upcoming.pricing.maximum_cost_usd} /> from <DateTime at={upcoming.effective_at} />
                </Text>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function PriceList({ title, when, pricing }: { title: string; when?: ReactNode; pricing: Agent['pricing'] }) {
  const { minimum_cost_usd: low, maximum_cost_usd: high, network_fee_percentage: fee, meters } = pricing;
  return (
    <Panel
      title={title}
      description={
        <>
          {when}A run costs <Money usd={low} /> to <Money usd={high} />. A failed run is free.
        </>
      }
    >
      <dl className="side-facts">
        {meters.map((meter) => (
          <div key={meter.id} title={meter.description}>
            <dt>{meterName(meter.id)}</dt>
            <dd>
              <Price meter={meter} />
            </dd>
          </div>
        ))}
        <div>
          <dt>Network fee</dt>
          <dd>{fee}% on top</dd>
        </div>
      </dl>
    </Panel>
  );
}

function Price({ meter: { unit, price_usd: usd } }: { meter: Meter }) {
  return (
    <>
      <Money usd={unit === 'token' ? Number((usd * 1e6).toFixed(6)) : usd} />{' '}
      <Text span size="xs" c="dimmed">
        / {unit === 'token' ? '1M tokens' : unit}
      </Text>
    </>
  );
}
