import { MultiSelect, NumberInput, SegmentedControl, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { MailFields, type MailValues } from '../parts/MailFields.tsx';
import { FAULT_OPTIONS, type AgentAlert, type Fault, type NewAgentAlert } from './agentRuns.ts';

interface Props {
  agentId: string;
  of: AgentAlert | 'new' | undefined;
  onClose: () => void;
}

/** Creates an alert on an agent, or changes one. */
export function AgentAlertDialog({ agentId, of, onClose }: Props) {
  const isNew = of === 'new';
  return (
    <Dialog title={isNew ? 'Create alert' : 'Change alert'} isOpen={of !== undefined} onClose={onClose}>
      {of && <AlertForm key={isNew ? 'new' : of.id} agentId={agentId} from={isNew ? undefined : of} onDone={onClose} />}
    </Dialog>
  );
}

interface Values extends MailValues {
  type: AgentAlert['type'];
  threshold: number;
  minutes: string;
  runsMin: number;
  faults: string[];
}

const WINDOWS = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: '24 hours' },
];

function AlertForm({ agentId, from, onDone }: { agentId: string; from: AgentAlert | undefined; onDone: () => void }) {
  const form = useForm<Values>({
    initialValues: valuesOf(from),
    validate: { faults: (faults) => (faults.length > 0 ? null : 'Choose at least one.') },
  });
  const save = useChange((values: Values) => send(values, agentId, from), {
    stale: [['publisher', 'alerts']],
    done: from ? 'Alert changed' : 'Alert created',
    onSuccess: onDone,
    onError: () => {},
  });
  const isRate = form.values.type === 'failure_rate';
  return (
    <DialogForm
      submitLabel={from ? 'Save' : 'Create alert'}
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      <SegmentedControl
        fullWidth
        aria-label="Watches"
        data={[
          { value: 'failure_rate', label: 'Failure rate' },
          { value: 'failures', label: 'Failures' },
        ]}
        {...form.getInputProps('type')}
      />
      <NumberInput
        label={isRate ? 'Failed runs, %' : 'Failed runs'}
        min={1}
        max={isRate ? 100 : 100_000}
        hideControls
        {...form.getInputProps('threshold')}
      />
      <Select
        label="Within"
        data={windowsWith(form.values.minutes)}
        allowDeselect={false}
        {...form.getInputProps('minutes')}
      />
      {isRate && (
        <NumberInput
          label="With at least so many runs"
          description="Fewer runs say little about a rate."
          min={1}
          max={100_000}
          hideControls
          {...form.getInputProps('runsMin')}
        />
      )}
      <MultiSelect label="Failures by" data={FAULT_OPTIONS} {...form.getInputProps('faults')} />
      <MailFields form={form} usually="Owners and publishers" />
    </DialogForm>
  );
}

const windowsWith = (minutes: string) =>
  WINDOWS.some(({ value }) => value === minutes)
    ? WINDOWS
    : [...WINDOWS, { value: minutes, label: `${minutes} minutes` }];

const valuesOf = (from: AgentAlert | undefined): Values => ({
  type: from?.type ?? 'failure_rate',
  threshold: from?.threshold ?? 20,
  minutes: String(from?.window_minutes ?? 60),
  runsMin: from?.runs_min ?? 10,
  faults: from?.faults ?? ['agent', 'platform', 'provider'],
  mail: from?.mail ?? true,
  mailTo: from?.mail_to ?? [],
});

function send({ type, threshold, minutes, runsMin, faults, mail, mailTo }: Values, agentId: string, from?: AgentAlert) {
  const chosen = {
    type,
    threshold,
    window_minutes: Number(minutes),
    runs_min: runsMin,
    faults: faults as Fault[],
    mail,
    mail_to: mailTo.length > 0 ? mailTo : null,
  };
  if (from) {
    const params = { path: { agent_alert_id: from.id } };
    return answerOf(api.PATCH('/v1/publisher/alerts/{agent_alert_id}', { params, body: chosen }));
  }
  const body: NewAgentAlert = { agent_id: agentId, ...chosen };
  return answerOf(api.POST('/v1/publisher/alerts', { body }));
}
