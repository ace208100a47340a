import { NumberInput, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogForm, type DialogFormProps } from '../parts/DialogForm.tsx';
import { OVERLAPS, type NewSchedule, type Schedule } from './schedules.ts';

interface Values {
  name: string;
  agent: string;
  input: string;
  kind: 'cron' | 'interval';
  cron: string;
  timezone: string;
  minutes: number;
  overlap: Schedule['overlap'];
  maxCostUsd: number | string;
}

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [...new Set([OWN_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')])];

/** The form of a new schedule. */
export function ScheduleForm({ onSubmit, ...frame }: DialogFormProps<never, NewSchedule>) {
  const form = useForm<Values>({
    initialValues: {
      name: '',
      agent: '',
      input: '',
      kind: 'cron',
      cron: '0 8 * * mon-fri',
      timezone: OWN_ZONE,
      minutes: 60,
      overlap: 'skip',
      maxCostUsd: '',
    },
    validate: {
      agent: (agent) => (/^[a-z0-9-]+\/[a-z0-9-]+$/.test(agent.trim()) ? null : 'Enter namespace/name.'),
      input: (input) => (input.trim() === '' ? 'Enter what the agent is to do.' : null),
      cron: (cron, { kind }) =>
        kind === 'interval' || cron.trim().split(/\s+/).length === 5 ? null : 'Enter the five fields.',
    },
  });
  const { kind } = form.values;
  return (
    <DialogForm {...frame} onSubmit={form.onSubmit((values) => onSubmit(orderOf(values)))}>
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Agent" placeholder="namespace/name" withAsterisk {...form.getInputProps('agent')} />
      <Textarea label="Input" autosize minRows={2} maxRows={8} withAsterisk {...form.getInputProps('input')} />
      <SegmentedControl
        aria-label="When it fires"
        data={[
          { value: 'cron', label: 'At times' },
          { value: 'interval', label: 'Every' },
        ]}
        {...form.getInputProps('kind')}
      />
      {kind === 'cron' ? (
        <>
          <TextInput
            label="Cron"
            description="Minute, hour, day of the month, month, day of the week"
            {...form.getInputProps('cron')}
          />
          <Select label="Time zone" data={ZONES} searchable {...form.getInputProps('timezone')} />
        </>
      ) : (
        <NumberInput label="Minutes" min={1} max={527_040} {...form.getInputProps('minutes')} />
      )}
      <Select
        label="While an earlier run is open"
        data={Object.entries(OVERLAPS).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps('overlap')}
      />
      <NumberInput
        label="Max cost of a run"
        description="The agent’s own when left empty"
        prefix="$"
        min={0}
        {...form.getInputProps('maxCostUsd')}
      />
    </DialogForm>
  );
}

function orderOf({ name, agent, input, kind, cron, timezone, minutes, overlap, maxCostUsd }: Values): NewSchedule {
  const order: NewSchedule = {
    name: name.trim() || null,
    ...(kind === 'cron' ? { cron: cron.trim(), timezone } : { every_seconds: minutes * 60 }),
    overlap,
    run: { agent: agent.trim(), input, ...(typeof maxCostUsd === 'number' && { max_cost_usd: maxCostUsd }) },
  };
  return order;
}
