import { Autocomplete, NumberInput, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAgents } from '../agents/useAgents.ts';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';

type FlowRule = components['schemas']['FlowRule'];

/** Creates a flow rule, or changes one. */
export function FlowRuleDialog({ of, onClose }: { of: FlowRule | 'new' | undefined; onClose: () => void }) {
  const from = of === 'new' ? undefined : of;
  return (
    <Dialog title={from ? `Rule for ${from.agent}` : 'Create rule'} isOpen={of !== undefined} onClose={onClose}>
      {of && <RuleForm key={from?.id ?? 'new'} from={from} onDone={onClose} />}
    </Dialog>
  );
}

interface Values {
  agent: string;
  hasConcurrency: boolean;
  atOnce: number;
  concurrencyKey: string;
  hasRate: boolean;
  starts: number;
  periodSeconds: number;
  rateKey: string;
  whenExceeded: 'queue' | 'refuse';
}

type Form = ReturnType<typeof useForm<Values>>;

const KEY = {
  label: 'Key',
  placeholder: '/metadata/customer_id',
  description: 'Runs with the same value there are counted together. Empty: all runs of the agent.',
  classNames: { input: 'id' },
};

function RuleForm({ from, onDone }: { from: FlowRule | undefined; onDone: () => void }) {
  const form = useForm<Values>({ initialValues: valuesOf(from) });
  const agents = useAgents();
  const save = useChange((values: Values) => send(values, from), {
    stale: [['flow-rules'], ['runs']],
    done: from ? 'Rule changed' : 'Rule created',
    onSuccess: onDone,
    onError: () => {},
  });
  return (
    <DialogForm
      submitLabel={from ? 'Save' : 'Create rule'}
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      {!from && (
        <Autocomplete
          label="Agent"
          placeholder="namespace/slug"
          // It has the focus when the dialog opens, and its list would cover the other fields.
          openOnFocus={false}
          required
          data={agents?.map(({ id }) => id) ?? []}
          {...form.getInputProps('agent')}
        />
      )}
      <Switch label="Limit runs at once" {...form.getInputProps('hasConcurrency', { type: 'checkbox' })} />
      {form.values.hasConcurrency && <ConcurrencyFields form={form} />}
      <Switch label="Limit starts in a period" {...form.getInputProps('hasRate', { type: 'checkbox' })} />
      {form.values.hasRate && <RateFields form={form} />}
    </DialogForm>
  );
}

const ConcurrencyFields = ({ form }: { form: Form }) => (
  <>
    <NumberInput label="Runs at once" min={1} max={1_000} hideControls {...form.getInputProps('atOnce')} />
    <TextInput {...KEY} {...form.getInputProps('concurrencyKey')} />
  </>
);

const RateFields = ({ form }: { form: Form }) => (
  <>
    <NumberInput label="Starts" min={1} max={1_000} hideControls {...form.getInputProps('starts')} />
    <NumberInput
      label="Period"
      suffix=" seconds"
      min={1}
      max={86_400}
      hideControls
      {...form.getInputProps('periodSeconds')}
    />
    <TextInput {...KEY} label="Key of starts" {...form.getInputProps('rateKey')} />
    <SegmentedControl
      fullWidth
      aria-label="Further runs"
      data={[
        { value: 'queue', label: 'Further runs wait' },
        { value: 'refuse', label: 'Are refused (429)' },
      ]}
      {...form.getInputProps('whenExceeded')}
    />
  </>
);

const valuesOf = (from: FlowRule | undefined): Values => ({
  agent: '',
  hasConcurrency: !from || from.concurrency !== null,
  atOnce: from?.concurrency?.limit ?? 2,
  concurrencyKey: from?.concurrency?.key ?? '',
  hasRate: Boolean(from?.rate),
  starts: from?.rate?.limit ?? 60,
  periodSeconds: from?.rate?.period_seconds ?? 60,
  rateKey: from?.rate?.key ?? '',
  whenExceeded: from?.rate?.when_exceeded ?? 'queue',
});

function send({ agent, ...values }: Values, from: FlowRule | undefined) {
  const { atOnce, starts, periodSeconds, whenExceeded } = values;
  const body = {
    concurrency: values.hasConcurrency ? { limit: atOnce, key: values.concurrencyKey.trim() || null } : null,
    rate: values.hasRate
      ? {
          limit: starts,
          period_seconds: periodSeconds,
          key: values.rateKey.trim() || null,
          when_exceeded: whenExceeded,
        }
      : null,
  };
  if (!from) return answerOf(api.POST('/platform/v1/flow-rules', { body: { agent: agent.trim(), ...body } }));
  const params = { path: { flow_rule_id: from.id } };
  return answerOf(api.PATCH('/platform/v1/flow-rules/{flow_rule_id}', { params, body }));
}
