import { Button, Chip, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { Panel } from '../parts/Panel.tsx';

const AMOUNTS = ['10', '25', '50', '100', '250'];
const USD_MIN = 5;
const USD_MAX = 1_000;

/** Pays into the balance, on the payment provider's page. */
export function TopUp() {
  const { features } = useMe();
  const [amount, setAmount] = useState<number | string>(25);
  const isRight = Number(amount) >= USD_MIN && Number(amount) <= USD_MAX;
  const pay = useChange(
    () => answerOf(api.POST('/platform/v1/billing/checkout', { body: { amount: Number(amount) } })),
    { onSuccess: ({ url }) => location.assign(url), onError: () => {} },
  );
  return (
    <Panel title="Add credit">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isRight) pay.mutate(undefined);
        }}
      >
        <Stack>
          <Chip.Group value={String(amount)} onChange={(value) => setAmount(Number(value))}>
            <Group gap="xs">
              {AMOUNTS.map((value) => (
                <Chip key={value} value={value}>
                  ${value}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          <NumberInput
            label="Amount"
            description={`In US dollars, from ${USD_MIN} to ${USD_MAX}`}
            prefix="$"
            decimalScale={2}
            hideControls
            value={amount}
            onChange={setAmount}
            error={pay.error ? sentenceOf(pay.error) : !isRight && `Send from $${USD_MIN} to $${USD_MAX}.`}
          />
          <Button type="submit" loading={pay.isPending} disabled={features.payments === 'off'}>
            {features.payments === 'test' ? 'Go to the test payment' : 'Go to payment'}
          </Button>
          {features.payments === 'off' && (
            <Text size="sm" c="dimmed">
              This installation takes no payments. Ask its operator for credit.
            </Text>
          )}
        </Stack>
      </form>
    </Panel>
  );
}
