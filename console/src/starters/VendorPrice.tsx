import { Button, Checkbox, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Amounts } from '../catalog/Amounts.tsx';
import { AmountInput } from '../catalog/AmountInput.tsx';
import { orderedUnits } from '../catalog/units.ts';
import { UtcDay } from '../parts/figures.tsx';
import { Form } from '../parts/Form.tsx';
import type { Probe, ProbeOrder, Starters } from './shapes.ts';

interface Values {
  margin: number | '';
  amounts: Record<string, number | ''>;
  isForAgents: boolean;
}

const UNKNOWN = { input_tokens: '', output_tokens: '' } as const;

/** The price of a model that has answered: the list price with a margin, or a stated one. Then it is sold. */
export function VendorPrice({
  order,
  probe,
  starters,
  onDone,
}: {
  order: ProbeOrder;
  probe: Probe;
  starters: Starters;
  onDone: () => void;
}) {
  const { list_price: list, present_price: present } = probe;
  const form = useForm<Values>({
    initialValues: { margin: list ? 0 : '', amounts: list ?? UNKNOWN, isForAgents: starters.agents.is_rehearsed },
  });
  const add = useChange((values: Values) => send(order, values, present !== null), {
    stale: [['catalog'], ['models'], ['audit']],
    done: form.values.isForAgents ? `Agents use ${order.model} now` : `${order.model} is sold now`,
    onSuccess: onDone,
    onError: () => {},
  });
  return (
    <Form error={add.error} onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <Stack gap="md" mt="lg" className="starters-price">
        {present ? (
          <Text size="sm">
            Sold already, at <Amounts of={present} />. Two operators decide on another price.
          </Text>
        ) : (
          <Price form={form} list={list} pricedAt={starters.priced_at} />
        )}
        <Checkbox
          label="Agents use it"
          description="All that name no model of their own. Runs that were ordered keep their price list."
          {...form.getInputProps('isForAgents', { type: 'checkbox' })}
        />
        <Group>
          <Button type="submit" loading={add.isPending}>
            {form.values.isForAgents ? 'Sell it, and use it for agents' : 'Sell it'}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function Price({
  form,
  list,
  pricedAt,
}: {
  form: ReturnType<typeof useForm<Values>>;
  list: Probe['list_price'];
  pricedAt: string;
}) {
  const setMargin = (margin: number | ''): void => {
    const amounts = list ? withMargin(list, Number(margin)) : form.values.amounts;
    form.setValues({ margin, amounts });
  };
  return (
    <>
      <Text size="sm">
        {list ? (
          <>
            List price on <UtcDay at={pricedAt} />: <Amounts of={list} />
          </>
        ) : (
          'The list has no price of this model: state what callers pay.'
        )}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {list && (
          <NumberInput
            label="Margin"
            suffix="%"
            min={0}
            max={1000}
            hideControls
            value={form.values.margin}
            onChange={(value) => setMargin(value === '' ? '' : Number(value))}
          />
        )}
        {orderedUnits(Object.keys(form.values.amounts)).map((unit) => (
          <AmountInput key={unit} unit={unit} required {...form.getInputProps(`amounts.${unit}`)} />
        ))}
      </SimpleGrid>
    </>
  );
}

const DECIMALS = 6;
const PERCENT = 100;

const withMargin = (list: Record<string, number>, margin: number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(list).map(([unit, usd]) => [unit, Number((usd * (1 + margin / PERCENT)).toFixed(DECIMALS))]),
  );

function send(order: ProbeOrder, { amounts, isForAgents }: Values, isPriced: boolean) {
  const usd = Object.fromEntries(Object.entries(amounts).map(([unit, amount]) => [unit, Number(amount)]));
  const body = { ...order, use_for_agents: isForAgents, ...(!isPriced && { usd_per_million: usd }) };
  return answerOf(api.POST('/console/v1/catalog/starters', { body }));
}
