import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CHOICES_MAX, SEARCHED_FROM } from '../parts/FilterField.tsx';
import { SpendLimitFields } from '../parts/SpendLimitFields.tsx';
import { beyond, choicesAt, ticked, type GrantValues, type Login, type Place } from './grant.ts';

const DAYS = [
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: '', label: 'Never' },
];

/** What the program gets: where, what it may do, for how long and how much. */
export function GrantFields({
  form,
  login,
  places,
  place,
}: {
  form: UseFormReturnType<GrantValues>;
  login: Login;
  places: Place[];
  place: Place;
}) {
  const missing = beyond(login, place);
  const { scopes, project } = form.values;
  return (
    <Stack>
      <Select label="Workspace" data={places} allowDeselect={false} {...form.getInputProps('place')} />
      {place.projects.length > 1 && (
        <Select
          label="Project"
          data={place.projects.map(({ id, name }) => ({ value: id, label: name }))}
          allowDeselect={false}
          searchable={place.projects.length > SEARCHED_FROM}
          limit={CHOICES_MAX}
          {...form.getInputProps('project')}
          value={place.projects.some(({ id }) => id === project) ? project : place.projects[0]!.id}
        />
      )}
      <Checkbox.Group
        label="It may"
        {...form.getInputProps('scopes')}
        onChange={(after) => form.setFieldValue('scopes', ticked(scopes, after))}
      >
        <Stack gap="xs" mt={6}>
          {choicesAt(place).map(({ value, label, description }) => (
            <Checkbox key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Checkbox.Group>
      {missing.length > 0 && (
        <Text size="xs" c="dimmed">
          It also asks for what you may not give here: {missing.join(', ')}.
        </Text>
      )}
      <Select label="Ends" data={DAYS} allowDeselect={false} {...form.getInputProps('days')} />
      <SpendLimitFields
        limit={form.getInputProps('spendLimit')}
        period={form.getInputProps('period')}
        isUnlimited={form.values.spendLimit === ''}
      />
      <TextInput label="Name of the key" maxLength={100} {...form.getInputProps('name')} />
    </Stack>
  );
}
