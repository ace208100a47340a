import { ActionIcon, Button, Group, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import type { Configuration, DraftPart } from './configuration.ts';

type Rate = Configuration['pricing']['rates'][number];

const METERS: Rate['meter'][] = ['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls'];

/** The price of a run: minimum, maximum, and the price of each meter. A meter without a price is sold at the platform's cost. */
export function Prices({ draft: { pricing }, errorOf, onChange }: DraftPart) {
  const set = (part: Partial<typeof pricing>) => onChange({ pricing: { ...pricing, ...part } });
  const setRate = (at: number, part: Partial<Rate>) =>
    set({ rates: pricing.rates.map((rate, place) => (place === at ? { ...rate, ...part } : rate)) });
  const unused = METERS.find((meter) => !pricing.rates.some((rate) => rate.meter === meter));
  return (
    <fieldset className="fieldset">
      <legend>Prices, US dollars</legend>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {(['minimum_cost_usd', 'maximum_cost_usd'] as const).map((name) => (
            <NumberInput
              key={name}
              label={name === 'minimum_cost_usd' ? 'A run costs at least' : 'A run costs at most'}
              prefix="$"
              min={0}
              decimalScale={9}
              hideControls
              value={pricing[name]}
              error={errorOf(`pricing.${name}`)}
              onChange={(value) => set({ [name]: Number(value) })}
            />
          ))}
        </SimpleGrid>
        {pricing.rates.map((rate, at) => (
          <RateLine
            key={rate.meter}
            rate={rate}
            errorOf={(member) => errorOf(`pricing.rates.${at}.${member}`)}
            onChange={(part) => setRate(at, part)}
            onRemove={() => set({ rates: pricing.rates.filter((_, place) => place !== at) })}
          />
        ))}
        {errorOf('pricing.rates') && (
          <Text size="sm" className="text-bad">
            {errorOf('pricing.rates')}
          </Text>
        )}
        {unused && (
          <Group>
            <Button
              variant="default"
              size="xs"
              onClick={() => set({ rates: [...pricing.rates, { meter: unused, price_usd: 0 }] })}
            >
              Add a price
            </Button>
          </Group>
        )}
      </Stack>
    </fieldset>
  );
}

function RateLine({
  rate,
  errorOf,
  onChange,
  onRemove,
}: {
  rate: Rate;
  errorOf: (member: keyof Rate) => string | undefined;
  onChange: (part: Partial<Rate>) => void;
  onRemove: () => void;
}) {
  return (
    <div className="rate-line">
      <Select
        label="Meter"
        data={METERS.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        value={rate.meter}
        allowDeselect={false}
        error={errorOf('meter')}
        onChange={(meter) => meter && onChange({ meter: meter })}
      />
      <NumberInput
        label="Price of one"
        prefix="$"
        min={0}
        decimalScale={12}
        hideControls
        value={rate.price_usd.toFixed(12).replace(/\.?0+$/, '')}
        error={errorOf('price_usd')}
        onChange={(value) => onChange({ price_usd: Number(value) })}
      />
      <ActionIcon variant="default" size="lg" aria-label={`Remove the price of ${rate.meter}`} onClick={onRemove}>
        <Cross2Icon />
      </ActionIcon>
    </div>
  );
}
