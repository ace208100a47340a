import { Alert, Button, Group, NumberInput, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answerOf, api, sendJson } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import type { AutoTopup as Settings } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';

/** The saved card, and the rule for charging it automatically. */
export function AutoTopup() {
  const settings = useAnswer(['auto-topup'], (signal) => api.GET('/platform/v1/billing/auto_topup', { signal }));
  return (
    <Panel title="Card and automatic top-up">
      {settings.error && <TableFailure error={settings.error} retry={() => void settings.refetch()} />}
      {settings.isLoading && <Skeleton height={230} />}
      {settings.data && <Loaded key={formKey(settings.data)} settings={settings.data} />}
    </Panel>
  );
}

// A payment changes the spent amount, and must not undo the user's typing.
const formKey = ({ enabled, card, threshold_usd: below, amount_usd: amount, monthly_cap_usd: cap }: Settings): string =>
  JSON.stringify([enabled, card, below, amount, cap]);

function Loaded({ settings }: { settings: Settings }) {
  const { card } = settings;
  const save = useChange(() => answerOf(api.POST('/platform/v1/billing/card', { body: {} })), {
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm">{card ? `${card.brand} ending in ${card.last4}` : 'No card is saved.'}</Text>
        <Button variant="default" size="xs" loading={save.isPending} onClick={() => save.mutate(undefined)}>
          {card ? 'Use another card' : 'Save a card'}
        </Button>
      </Group>
      {settings.last_error && (
        <Alert color="red" title="The last payment failed">
          {settings.last_error}
        </Alert>
      )}
      {card && <Rules settings={settings} />}
    </Stack>
  );
}

function Rules({ settings }: { settings: Settings }) {
  const form = useForm({
    initialValues: {
      enabled: settings.enabled,
      threshold_usd: settings.threshold_usd ?? 10,
      amount_usd: settings.amount_usd ?? 25,
      monthly_cap_usd: settings.monthly_cap_usd ?? 100,
    },
  });
  const change = useChange((body: object) => sendJson('/platform/v1/billing/auto_topup', body, 'PATCH'), {
    stale: [['auto-topup']],
    done: 'The automatic top-up is changed',
    onError: () => {},
  });
  const amount = { prefix: '$', decimalScale: 2, hideControls: true } as const;
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values.enabled ? values : { enabled: false }))}>
      <Stack>
        <div role="alert">{change.error && <Alert color="red">{sentenceOf(change.error)}</Alert>}</div>
        <Switch
          label="Pay by itself when the balance is low"
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        {form.values.enabled && (
          <>
            <NumberInput label="When it falls below" {...amount} {...form.getInputProps('threshold_usd')} />
            <NumberInput label="Pay" {...amount} {...form.getInputProps('amount_usd')} />
            <NumberInput label="At most in a month" {...amount} {...form.getInputProps('monthly_cap_usd')} />
            <Text size="sm" c="dimmed">
              <Money usd={settings.spent_this_month_usd} isRounded /> paid by itself this month.
            </Text>
          </>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
