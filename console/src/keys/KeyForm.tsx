import { Checkbox, Group, NumberInput, Radio, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMe } from '../api/me.ts';
import { DialogForm, type DialogFormProps } from '../parts/DialogForm.tsx';
import { scopeLabel, SCOPES, type Key, type KeyScope, type NewKey } from './keyTypes.ts';

interface Values {
  name: string;
  isRestricted: boolean;
  /** For a restricted key. */
  scopes: string[];
  spendLimit: number | string;
  period: string;
  rpm: number | string;
  concurrency: number | string;
  expiresAt: string;
  allowedIps: string[];
}

/** The form of a new key, and of changes to one. */
export function KeyForm({ from, onSubmit, ...frame }: DialogFormProps<Key, NewKey>) {
  const { scopes: granted } = useMe();
  const form = useForm<Values>({
    initialValues: valuesOf(from, granted),
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name: where it is used, for example.' : null),
      scopes: (scopes, { isRestricted }) => (isRestricted && scopes.length === 0 ? 'Choose what it may do.' : null),
      spendLimit: (usd) => (usd !== '' && Number(usd) < 0 ? 'At least $0.' : null),
      rpm: countProblem,
      concurrency: countProblem,
    },
  });
  return (
    <DialogForm {...frame} onSubmit={form.onSubmit((values) => onSubmit(keyOf(values, granted)))}>
      <TextInput
        label="Name"
        placeholder="Production server"
        withAsterisk
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Radio.Group
        label="What it may do"
        value={form.values.isRestricted ? 'some' : 'all'}
        onChange={(value) => form.setFieldValue('isRestricted', value === 'some')}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="all" label="Everything" description={everythingOf(granted).map(scopeLabel).join(', ')} />
          <Radio value="some" label="Only what I choose" />
        </Stack>
      </Radio.Group>
      {form.values.isRestricted && (
        <Checkbox.Group aria-label="Only what I choose" {...form.getInputProps('scopes')}>
          <Stack gap="xs" pl="xl" pb={6}>
            {SCOPES.filter(({ value }) => isGrantable(value, granted)).map(({ value, label, description }) => (
              <Checkbox key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <LimitFields form={form} />
    </DialogForm>
  );
}

/** Limits on amount, rate, time and addresses. */
function LimitFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <Group grow align="flex-start">
        <NumberInput
          label="Spend limit"
          description="In US dollars"
          placeholder="None"
          prefix="$"
          min={0}
          decimalScale={2}
          hideControls
          {...form.getInputProps('spendLimit')}
        />
        <Select
          label="Resets"
          description="At midnight UTC"
          data={PERIODS}
          disabled={form.values.spendLimit === ''}
          allowDeselect={false}
          {...form.getInputProps('period')}
        />
      </Group>
      <Group grow align="flex-start">
        <NumberInput
          label="Requests a minute"
          placeholder="Default"
          min={1}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('rpm')}
        />
        <NumberInput
          label="At once"
          placeholder="Default"
          min={1}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('concurrency')}
        />
      </Group>
      <TextInput
        type="datetime-local"
        label="Expires"
        description="Never, when left empty"
        {...form.getInputProps('expiresAt')}
      />
      <TagsInput
        label="Allowed addresses"
        description="IP addresses or ranges, for example 192.0.2.0/24. From everywhere, when left empty"
        placeholder="Type one and press Enter"
        acceptValueOnBlur
        {...form.getInputProps('allowedIps')}
      />
    </>
  );
}

const PERIODS = [
  { value: 'daily', label: 'Every day' },
  { value: 'monthly', label: 'Every month' },
  { value: 'never', label: 'Never' },
];

// A key manager may give only their own scopes; `agents` is included in `llm`.
const isGrantable = (scope: KeyScope, granted: string[]) =>
  granted.length === 0 || granted.includes(scope === 'agents' ? 'llm' : scope);

/** The scopes of a key for its program. Managing keys is a separate choice, and agents are included in text. */
const everythingOf = (granted: string[]): KeyScope[] => PRODUCTS.filter((scope) => isGrantable(scope, granted));

const PRODUCTS: KeyScope[] = ['llm', 'voice', 'batch', 'publisher'];

function countProblem(count: number | string): string | null {
  return count !== '' && Number(count) < 1 ? 'At least 1.' : null;
}

function valuesOf(key: Key | undefined, granted: string[]): Values {
  const everything = everythingOf(granted);
  return {
    name: key?.name ?? '',
    isRestricted: key !== undefined && !everything.every((scope) => key.scopes.includes(scope)),
    scopes: key?.scopes ?? [],
    spendLimit: key?.spend_limit ?? '',
    period: key && key.spend_limit !== null ? (key.spend_limit_period ?? 'never') : 'monthly',
    rpm: key?.rpm_limit ?? '',
    concurrency: key?.concurrency_limit ?? '',
    expiresAt: key?.expires_at ? localInput(key.expires_at) : '',
    allowedIps: key?.allowed_ips ?? [],
  };
}

/** A time in the format of the browser's field: local time, without a zone. */
function localInput(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const numberOrNull = (value: number | string) => (value === '' ? null : Number(value));

function keyOf(values: Values, granted: string[]): NewKey {
  const { name, isRestricted, scopes, spendLimit, period, rpm, concurrency, expiresAt, allowedIps } = values;
  const limit = numberOrNull(spendLimit);
  return {
    name: name.trim(),
    scopes: isRestricted ? (scopes as KeyScope[]) : everythingOf(granted),
    spend_limit: limit,
    spend_limit_period: limit === null || period === 'never' ? null : (period as 'daily' | 'monthly'),
    rpm_limit: numberOrNull(rpm),
    concurrency_limit: numberOrNull(concurrency),
    expires_at: expiresAt === '' ? null : new Date(expiresAt).toISOString(),
    allowed_ips: allowedIps.length === 0 ? null : allowedIps,
  };
}
