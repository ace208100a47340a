import { NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { meterName } from '../agents/names.ts';
import { usdText } from '../parts/figures.tsx';
import type { Configuration, DraftPart } from './configuration.ts';
import { useEstimate, type Estimate, type Quantities } from './useEstimate.ts';

type Rate = Configuration['pricing']['rates'][number];
type Meter = Rate['meter'];

const UNITS: Record<Meter, { name: string; size: number }> = {
  model_input_tokens: { name: '1M tokens', size: 1_000_000 },
  model_output_tokens: { name: '1M tokens', size: 1_000_000 },
  tool_calls: { name: 'call', size: 1 },
  sandbox_seconds: { name: 'second', size: 1 },
};
const METERS = Object.keys(UNITS) as Meter[];
const RATE_DIGITS = 12;

/** The third step: the price of each meter, the bounds of a run, and the run that the estimate is of. */
export function PriceStep({
  agentId,
  quantities,
  onQuantities,
  ...part
}: DraftPart & {
  agentId: string;
  quantities: Quantities | undefined;
  onQuantities: (quantities: Quantities) => void;
}) {
  const { data: estimate } = useEstimate(agentId, part.draft, quantities);
  return (
    <Stack gap="lg">
      <Rates {...part} estimate={estimate} />
      <Bounds {...part} />
      <Example shown={quantities ?? estimate?.quantities ?? {}} onChange={onQuantities} />
    </Stack>
  );
}

/** A price for each meter; one that is left empty is sold at what it costs the platform. */
function Rates({ draft: { pricing }, errorOf, onChange, estimate }: DraftPart & { estimate: Estimate | undefined }) {
  const set = (meter: Meter, priceUsd: number | null) => {
    const others = pricing.rates.filter((rate) => rate.meter !== meter);
    const rates = priceUsd === null ? others : [...others, { meter, price_usd: priceUsd }];
    onChange({ pricing: { ...pricing, rates: rates.toSorted((one, other) => placeOf(one) - placeOf(other)) } });
  };
  const isOfLine = pricing.rates.some((_, at) => errorOf(`pricing.rates.${at}`));
  // What is wrong with all of them stands at the first one, where the focus goes.
  const ofAll = isOfLine ? undefined : errorOf('pricing.rates');
  return (
    <fieldset className="plain-fieldset">
      <legend>Prices</legend>
      <Text size="xs" c="dimmed" mb="xs">
        Callers pay for what a run uses. A meter without a price is sold at cost.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {METERS.map((meter) => {
          const at = pricing.rates.findIndex((rate) => rate.meter === meter);
          const { name, size } = UNITS[meter];
          const costUsd = estimate?.pricing.meters.find(({ id }) => id === meter)?.platform_cost_usd ?? 0;
          return (
            <NumberInput
              key={meter}
              label={`${meterName(meter)}, per ${name}`}
              description={costUsd > 0 ? `Costs ${usdText(rounded(costUsd * size))}` : 'Costs nothing'}
              placeholder="At cost"
              prefix="$"
              min={0}
              decimalScale={RATE_DIGITS}
              hideControls
              value={at < 0 ? '' : plain(rounded(pricing.rates[at]!.price_usd * size))}
              error={(at >= 0 && errorOf(`pricing.rates.${at}`)) || (meter === METERS[0] && ofAll)}
              onChange={(value) => set(meter, value === '' ? null : rounded(Number(value) / size))}
            />
          );
        })}
      </SimpleGrid>
    </fieldset>
  );
}

const placeOf = ({ meter }: Rate): number => METERS.indexOf(meter);
const rounded = (usd: number): number => Number(usd.toFixed(RATE_DIGITS));
// 3e-7 is hard to read as a price.
const plain = (usd: number): string => usd.toFixed(RATE_DIGITS).replace(/\.?0+$/, '');

function Bounds({ draft: { pricing }, errorOf, onChange }: DraftPart) {
  return (
    <fieldset className="plain-fieldset">
      <legend>Limits of a run</legend>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {(['minimum_cost_usd', 'maximum_cost_usd'] as const).map((name) => (
          <NumberInput
            key={name}
            label={name === 'minimum_cost_usd' ? 'Min cost of a run' : 'Max cost of a run'}
            description={
              name === 'minimum_cost_usd' ? 'A completed run costs at least this' : 'A run stops when it reaches this'
            }
            prefix="$"
            min={0}
            decimalScale={9}
            hideControls
            value={pricing[name]}
            error={errorOf(`pricing.${name}`)}
            onChange={(value) => onChange({ pricing: { ...pricing, [name]: Number(value) } })}
          />
        ))}
      </SimpleGrid>
    </fieldset>
  );
}

/** What the run of the estimate uses. */
function Example({ shown, onChange }: { shown: Quantities; onChange: (quantities: Quantities) => void }) {
  return (
    <fieldset className="plain-fieldset">
      <legend>Example run</legend>
      <Text size="xs" c="dimmed" mb="xs">
        Only for the estimate. It is not saved.
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {METERS.map((meter) => (
          <NumberInput
            key={meter}
            label={meter === 'sandbox_seconds' ? 'Sandbox seconds' : meterName(meter)}
            min={0}
            thousandSeparator=","
            hideControls
            value={shown[meter] ?? 0}
            onChange={(value) => onChange({ ...shown, [meter]: Math.max(0, Number(value) || 0) })}
          />
        ))}
      </SimpleGrid>
    </fieldset>
  );
}
