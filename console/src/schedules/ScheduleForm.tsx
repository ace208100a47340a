import {
  Autocomplete,
  NumberInput,
  SegmentedControl,
  Select,
  Textarea,
  TextInput,
  type AutocompleteProps,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAgents } from '../agents/useAgents.ts';
import { DialogForm, type DialogFormProps } from '../parts/DialogForm.tsx';
import { cronText } from './cronText.ts';
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
      input: (input) => (input.trim() === '' ? 'Enter what the agent should do.' : null),
      cron: (cron, { kind }) =>
        kind === 'interval' || cron.trim().split(/\s+/).length === 5 ? null : 'Enter the five fields.',
    },
  });
  const { kind } = form.values;
  return (
    <DialogForm {...frame} onSubmit={form.onSubmit((values) => onSubmit(orderOf(values)))}>
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <AgentField {...form.getInputProps('agent')} />
      <Textarea label="Input" autosize minRows={2} maxRows={8} withAsterisk {...form.getInputProps('input')} />
      <SegmentedControl
        aria-label="When it runs"
        data={[
          { value: 'cron', label: 'At set times' },
          { value: 'interval', label: 'At an interval' },
        ]}
        {...form.getInputProps('kind')}
      />
      {kind === 'cron' ? (
        <>
          <TextInput
            label="Cron"
            description={cronText(form.values.cron) ?? 'Minute, hour, day of the month, month, day of the week'}
            {...form.getInputProps('cron')}
          />
          <Select label="Time zone" data={ZONES} searchable {...form.getInputProps('timezone')} />
        </>
      ) : (
        <NumberInput label="Minutes between runs" min={1} max={527_040} {...form.getInputProps('minutes')} />
      )}
      <Select
        label="If a run is still open"
        data={Object.entries(OVERLAPS).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps('overlap')}
      />
      <NumberInput
        label="Spend limit per run"
        description="Empty: the limit of the agent"
        prefix="$"
        min={0}
        decimalScale={9}
        hideControls
        {...form.getInputProps('maxCostUsd')}
      />
    </DialogForm>
  );
}

/** The name of an agent: one of the catalogue, or a private one. */
function AgentField(props: AutocompleteProps) {
  const names = useAgents()?.map(({ id }) => id);
  return (
    <Autocomplete
      label="Agent"
      placeholder="namespace/name"
      data={names ?? []}
      maxDropdownHeight={240}
      withAsterisk
      {...props}
    />
  );
}

function orderOf({ name, agent, input, kind, cron, timezone, minutes, overlap, maxCostUsd }: Values): NewSchedule {
  const order: NewSchedule = {
    name: name.trim() || null,
    ...(kind === 'cron' ? { cron: cron.trim(), timezone } : { every_seconds: minutes * 60 }),
    overlap,
    run: { agent: agent.trim(), input, ...(maxCostUsd !== '' && { max_cost_usd: Number(maxCostUsd) }) },
  };
  return order;
}
