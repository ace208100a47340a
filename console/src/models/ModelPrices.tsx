import { Text } from '@mantine/core';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import type { Model } from '../playground/models.ts';
import { PRICED_UNITS } from './pricedUnits.ts';

type Pricing = Model['pricing'];

const MILLION = 1_000_000;

const usdOf = (price: string, times: number): number => Number((Number(price) * times).toFixed(9));

/** Whether it is a price of its own: other kinds' units are free, and cached tokens cost mostly as much as the rest of the prompt. */
function isOwnPrice(pricing: Pricing, name: (typeof PRICED_UNITS)[number]['name'], kind: Model['kind']): boolean {
  const price = pricing[name];
  if (price === undefined) return false;
  if (name.startsWith('input_cache')) return price !== pricing.prompt;
  return kind === 'text' || Number(price) !== 0;
}

/** The prices of a model, and of a line of a batch where it differs. */
export function ModelPrices({ model: { kind, pricing } }: { model: Model }) {
  const counted = PRICED_UNITS.filter(({ name }) => isOwnPrice(pricing, name, kind));
  return (
    <Panel title="Prices" description="A failed call is free.">
      <dl className="model-prices">
        {counted.map(({ name, label, per, times }) => (
          <Price key={name} label={label} usd={usdOf(pricing[name]!, times)} per={per} />
        ))}
        {pricing.batch && (
          <>
            <Price label="Batch input" usd={usdOf(pricing.batch.prompt, MILLION)} per="1M tokens" />
            {kind === 'text' && (
              <Price label="Batch output" usd={usdOf(pricing.batch.completion, MILLION)} per="1M tokens" />
            )}
          </>
        )}
      </dl>
    </Panel>
  );
}

function Price({ label, usd, per }: { label: string; usd: number; per: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Money usd={usd} />{' '}
        <Text span size="xs" c="dimmed">
          / {per}
        </Text>
      </dd>
    </div>
  );
}
