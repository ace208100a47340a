import { Alert, Button, Group, NumberInput, SimpleGrid, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CardStackIcon } from '@radix-ui/react-icons';
import { answerOf, api, sendJson } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import type { AutoTopup as Settings } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { unitName } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Form } from '../parts/Form.tsx';

/** The saved card, and the rule for charging it. */
export function AutoTopup() {
  const settings = useAnswer(['auto-topup'], (signal) => api.GET('/platform/v1/billing/auto_topup', { signal }));
  return (
    <Panel
      title="Automatic top-up"
      description="Charges the saved card when the balance runs low, so that calls keep working."
    >
      {settings.error && <TableFailure error={settings.error} retry={() => void settings.refetch()} />}
      {settings.isLoading && <Skeleton height={120} />}
      {settings.data && <Loaded key={formKey(settings.data)} settings={settings.data} />}
    </Panel>
  );
}

// A payment changes the spent amount, and must not undo the user's typing.
const formKey = ({ enabled, card, threshold_usd: below, amount_usd: amount, monthly_cap_usd: cap }: Settings): string =>
  JSON.stringify([enabled, card, below, amount, cap]);

type Rule = { threshold_usd: number; amount_usd: number; monthly_cap_usd: number };
/** As it is typed: an amount is a text while it ends with a zero behind the point. */
type Typed = { enabled: boolean } & Record<keyof Rule, number | string>;

function Loaded({ settings }: { settings: Settings }) {
  const { card } = settings;
  // The page that saves the card comes back here, and the rule holds from then on.
  const saveCard = useChange(
    (rule: Rule | undefined) =>
      answerOf(api.POST('/platform/v1/billing/card', { body: rule ? { auto_topup: rule } : {} })),
    { onSuccess: ({ url }) => location.assign(url), onError: () => {} },
  );
  return (
    <Stack>
      <div className="card-line">
        <span className="card-face" aria-hidden>
          <CardStackIcon />
        </span>
        <Text size="sm">{card ? `${unitName(card.brand)} ending in ${card.last4}` : 'No card is saved.'}</Text>
        <Button
          variant="default"
          size="xs"
          loading={saveCard.isPending && saveCard.variables === undefined}
          onClick={() => saveCard.mutate(undefined)}
        >
          {card ? 'Replace card' : 'Save a card'}
        </Button>
      </div>
      {settings.last_error && (
        <Alert color="red" title={card ? 'The last payment failed' : 'No card is charged'}>
          {settings.last_error}
        </Alert>
      )}
      <RuleForm
        settings={settings}
        saveCard={(rule) => saveCard.mutate(rule)}
        isSavingCard={saveCard.isPending}
        error={saveCard.error}
      />
    </Stack>
  );
}

function RuleForm({
  settings,
  saveCard,
  isSavingCard,
  error,
}: {
  settings: Settings;
  saveCard: (rule: Rule) => void;
  isSavingCard: boolean;
  error: Error | null;
}) {
  const form = useForm<Typed>({
    initialValues: {
      enabled: settings.enabled,
      threshold_usd: settings.threshold_usd ?? 10,
      amount_usd: settings.amount_usd ?? 25,
      monthly_cap_usd: settings.monthly_cap_usd ?? 100,
    },
    validate: { threshold_usd: missing, amount_usd: missing, monthly_cap_usd: missing },
  });
  const change = useChange((body: object) => sendJson('/platform/v1/billing/auto_topup', body, 'PATCH'), {
    stale: [['auto-topup']],
    done: 'Automatic top-up saved',
    onError: () => {},
  });
  const failure = change.error ?? error;
  const submit = ({ enabled, ...typed }: Typed) => {
    const rule = {
      threshold_usd: Number(typed.threshold_usd),
      amount_usd: Number(typed.amount_usd),
      monthly_cap_usd: Number(typed.monthly_cap_usd),
    };
    if (enabled && !settings.card) saveCard(rule);
    else change.mutate(enabled ? { enabled, ...rule } : { enabled });
  };
  const amount = { prefix: '$', decimalScale: 2, hideControls: true } as const;
  const { enabled } = form.values;
  return (
    <Form error={failure} onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Switch
          label="Top up automatically"
          description={settings.enabled && !settings.card ? 'Begins once a card is saved.' : null}
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        {enabled && (
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            <NumberInput label="When the balance is below" {...amount} {...form.getInputProps('threshold_usd')} />
            <NumberInput label="Top up by" {...amount} {...form.getInputProps('amount_usd')} />
            <NumberInput label="Monthly limit" {...amount} {...form.getInputProps('monthly_cap_usd')} />
          </SimpleGrid>
        )}
        {((enabled && settings.card) || form.isDirty()) && (
          <Group justify="space-between" mih={32}>
            {enabled && settings.card ? (
              <ThisMonth settings={settings} cap={Number(form.values.monthly_cap_usd)} />
            ) : (
              <span />
            )}
            {form.isDirty() && (
              <Button type="submit" loading={change.isPending || isSavingCard}>
                {enabled && !settings.card ? 'Save a card and turn on' : 'Save'}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Form>
  );
}

const missing = (amount: number | string, { enabled }: Typed): string | null =>
  enabled && amount === '' ? 'Enter an amount.' : null;

function ThisMonth({ settings: { spent_this_month_usd: spent }, cap }: { settings: Settings; cap: number }) {
  const share = cap > 0 ? Math.min(100, (spent / cap) * 100) : 0;
  return (
    <Group gap="xs">
      <span className="meter" aria-hidden>
        <span style={{ width: `${share}%` }} />
      </span>
      <Text size="xs" c="dimmed">
        <Money usd={spent} isRounded /> paid automatically this month
      </Text>
    </Group>
  );
}
