import { Button, NumberInput, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { centsText } from '../parts/figures.tsx';
import { Form } from '../parts/Form.tsx';

const AMOUNTS = ['10', '25', '50', '100'];
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
    <Form
      aria-label="Add credit"
      error={pay.error}
      onSubmit={() => {
        if (isRight) pay.mutate(undefined);
      }}
    >
      <Stack gap="sm">
        <Title order={2}>Add credit</Title>
        <SegmentedControl
          fullWidth
          aria-label="Presets"
          data={AMOUNTS.map((value) => ({ value, label: `$${value}` }))}
          value={String(amount)}
          onChange={(value) => setAmount(Number(value))}
        />
        <NumberInput
          label="Amount"
          prefix="$"
          decimalScale={2}
          hideControls
          value={amount}
          onChange={setAmount}
          error={!isRight && `From $${USD_MIN} to $${USD_MAX}.`}
        />
        <Button type="submit" fullWidth loading={pay.isPending} disabled={features.payments === 'off' || !isRight}>
          {isRight ? `Add ${centsText(Number(amount))}` : 'Add credit'}
        </Button>
        {NOTES[features.payments] && (
          <Text size="xs" c="dimmed">
            {NOTES[features.payments]}
          </Text>
        )}
      </Stack>
    </Form>
  );
}

const NOTES: Partial<Record<string, string>> = {
  test: 'Test payments: no card is charged, and the credit is not real money.',
  off: 'This installation takes no payments. Ask its operator for credit.',
};
