import { NumberInput, SegmentedControl, Select, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { useKeyChoice } from '../api/keys.ts';
import type { components } from '../api/openapi.d.ts';
import { DEFAULT_PROJECT, useProjectChoice } from '../api/projects.ts';
import type { SpendAlert } from '../api/shapes.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { CHOICES_MAX } from '../parts/FilterField.tsx';
import { MailFields, type MailValues } from '../parts/MailFields.tsx';

type NewAlert = components['schemas']['NewAlert'];

/** Creates an alert, or changes one. */
export function AlertDialog({ of, onClose }: { of: SpendAlert | 'new' | undefined; onClose: () => void }) {
  const isNew = of === 'new';
  return (
    <Dialog title={isNew ? 'Create alert' : 'Change alert'} isOpen={of !== undefined} onClose={onClose}>
      {of && <AlertForm key={isNew ? 'new' : of.id} from={isNew ? undefined : of} onDone={onClose} />}
    </Dialog>
  );
}

interface Values extends MailValues {
  type: 'spend' | 'runway';
  /** A text while it ends with a zero behind the point. */
  amount: number | string;
  period: 'daily' | 'monthly';
  percentages: string[];
  /** The id of a key or a project; null: the workspace's. */
  spendOf: string | null;
  days: number;
}

function AlertForm({ from, onDone }: { from: SpendAlert | undefined; onDone: () => void }) {
  const form = useForm<Values>({ initialValues: valuesOf(from) });
  const save = useChange((values: Values) => send(values, from), {
    stale: [['alerts']],
    done: from ? 'Alert changed' : 'Alert created',
    onSuccess: onDone,
    onError: () => {},
  });
  const { type } = form.values;
  return (
    <DialogForm
      submitLabel={from ? 'Save' : 'Create alert'}
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      {!from && (
        <SegmentedControl
          fullWidth
          aria-label="Watches"
          data={[
            { value: 'spend', label: 'Spend' },
            { value: 'runway', label: 'Runway' },
          ]}
          {...form.getInputProps('type')}
        />
      )}
      {type === 'spend' ? (
        <SpendFields form={form} isNew={!from} />
      ) : (
        <NumberInput
          label="Days left"
          description="Told when the balance lasts less long, at the pace of the last seven days."
          min={1}
          max={365}
          hideControls
          {...form.getInputProps('days')}
        />
      )}
      <MailFields form={form} usually="Owners and finance" />
    </DialogForm>
  );
}

function SpendFields({ form, isNew }: { form: ReturnType<typeof useForm<Values>>; isNew: boolean }) {
  const keys = useKeyChoice({ present: form.values.spendOf ?? undefined, status: 'live', isOn: isNew });
  const projects = useProjectChoice().filter(({ id }) => id !== DEFAULT_PROJECT);
  return (
    <>
      <NumberInput
        label="Budget"
        prefix="$"
        decimalScale={2}
        min={0.01}
        hideControls
        {...form.getInputProps('amount')}
      />
      <Select
        label="Period"
        data={[
          { value: 'monthly', label: 'Month (UTC)' },
          { value: 'daily', label: 'Day (UTC)' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('period')}
      />
      <TagsInput
        label="Told at, % of the budget"
        description="An alert stops nothing. To stop calls, set the spend limit of a key or a project."
        splitChars={[',', ' ']}
        {...form.getInputProps('percentages')}
      />
      {isNew && (
        <Select
          label="Spend of"
          placeholder="The workspace"
          searchable
          onSearchChange={keys.onSearch}
          limit={CHOICES_MAX}
          clearable
          clearButtonProps={{ 'aria-label': 'The workspace' }}
          data={[
            { group: 'Projects', items: projects.map(({ id, name }) => ({ value: id, label: name })) },
            { group: 'Keys', items: keys.options },
          ]}
          {...form.getInputProps('spendOf')}
        />
      )}
    </>
  );
}

const valuesOf = (from: SpendAlert | undefined): Values => ({
  type: from?.type ?? 'spend',
  amount: from?.amount_usd ?? 100,
  period: from?.period ?? 'monthly',
  percentages: (from?.percentages ?? [50, 80, 100]).map(String),
  spendOf: from?.key_id ?? from?.project_id ?? null,
  days: from?.days ?? 7,
  mail: from?.mail ?? true,
  mailTo: from?.mail_to ?? [],
});

function send(
  { type, amount, period, percentages, spendOf, days, mail, mailTo }: Values,
  from: SpendAlert | undefined,
) {
  const to = { mail, mail_to: mailTo.length > 0 ? mailTo : null };
  const spend = { amount_usd: Number(amount), period, percentages: percentages.map(Number), ...to };
  const runway = { days, ...to };
  if (from) {
    const params = { path: { alert_id: from.id } };
    return answerOf(api.PATCH('/platform/v1/alerts/{alert_id}', { params, body: type === 'spend' ? spend : runway }));
  }
  const body: NewAlert =
    type === 'spend'
      ? { type, ...spend, ...(spendOf?.startsWith('proj_') ? { project_id: spendOf } : { key_id: spendOf }) }
      : { type, ...runway };
  return answerOf(api.POST('/platform/v1/alerts', { body }));
}
