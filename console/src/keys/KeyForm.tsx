import './keys.css';
import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMe } from '../api/me.ts';
import { DialogForm, type DialogFormProps } from '../parts/DialogForm.tsx';
import { SpendLimitFields } from '../parts/SpendLimitFields.tsx';
import { AdvancedLimits } from './AdvancedLimits.tsx';
import { LogDays } from './LogDays.tsx';
import { ProjectField } from './ProjectField.tsx';
import { everythingOf, isGrantable, keyOf, valuesOf, type KeyValues } from './keyValues.ts';
import { scopeLabel, SCOPES, type Key, type NewKey } from './keyTypes.ts';

/** `project`: where a new key goes, unless another one is chosen. */
type Properties = DialogFormProps<Key, NewKey> & { project?: string | null };

/** The form of a new key, and of changes to one: its name, its access, its spend limit, and the rest folded. */
export function KeyForm({ from, project = null, onSubmit, ...frame }: Properties) {
  const { scopes: granted, role } = useMe();
  const form = useForm<KeyValues>({
    initialValues: valuesOf(from, granted, project),
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name, such as where it is used.' : null),
      scopes: (scopes, { isRestricted }) => (isRestricted && scopes.length === 0 ? 'Choose at least one.' : null),
      spendLimit: (usd) => (usd !== '' && Number(usd) < 0 ? 'At least $0.' : null),
      rpm: countProblem,
      concurrency: countProblem,
    },
  });
  return (
    <DialogForm
      {...frame}
      onSubmit={form.onSubmit((values) => onSubmit(keyOf(values, { granted, logs: role === 'owner' })))}
    >
      <TextInput
        label="Name"
        placeholder="Production server"
        withAsterisk
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ProjectField form={form} from={from} />
      <Radio.Group
        label="Access"
        value={form.values.isRestricted ? 'some' : 'all'}
        onChange={(value) => form.setFieldValue('isRestricted', value === 'some')}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="all" label="Everything" description={everythingOf(granted).map(scopeLabel).join(', ')} />
          <Radio value="some" label="Restricted" description="Only what you choose" />
        </Stack>
      </Radio.Group>
      {form.values.isRestricted && (
        <Checkbox.Group aria-label="Restricted to" {...form.getInputProps('scopes')}>
          <Stack gap="xs" pl="xl" pb={6}>
            {SCOPES.filter(({ value }) => isGrantable(value, granted)).map(({ value, label, description }) => (
              <Checkbox key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <SpendLimitFields
        limit={form.getInputProps('spendLimit')}
        period={form.getInputProps('period')}
        isUnlimited={form.values.spendLimit === ''}
      />
      <LogDays form={form} isOwner={role === 'owner'} />
      <AdvancedLimits form={form} />
    </DialogForm>
  );
}

function countProblem(count: number | string): string | null {
  return count !== '' && Number(count) < 1 ? 'At least 1.' : null;
}
