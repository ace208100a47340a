import { Checkbox, MultiSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMe } from '../api/me.ts';
import { DialogForm, type DialogFormProps } from '../parts/DialogForm.tsx';
import { isForAll, type Endpoint, type NewEndpoint } from './endpoints.ts';
import { EVENT_TYPES, isOfPublisher, type EventType } from './eventTypes.ts';

interface Values {
  url: string;
  description: string;
  isForAll: boolean;
  types: string[];
}

const groupsOf = (types: string[]) =>
  Object.entries(Object.groupBy(types, (type) => EVENT_TYPES[type as EventType])).map(([group, items]) => ({
    group,
    items,
  }));
const GROUPS = groupsOf(Object.keys(EVENT_TYPES));
const OF_PUBLISHER = groupsOf(Object.keys(EVENT_TYPES).filter(isOfPublisher));

/** The form of a new endpoint, and of changes to one. */
export function EndpointForm({ from, onSubmit, ...frame }: DialogFormProps<Endpoint, NewEndpoint>) {
  const mayHaveAll = useMe().scopes.includes('manage');
  const form = useForm<Values>({
    initialValues: {
      url: from?.url ?? '',
      description: from?.description ?? '',
      isForAll: from ? isForAll(from) : mayHaveAll,
      types: from && !isForAll(from) ? from.event_types : [],
    },
    validate: {
      url: (url) => (URL.canParse(url) ? null : 'Enter a URL, such as https://example.com/webhooks.'),
      types: (types, values) => (values.isForAll || types.length > 0 ? null : 'Choose at least one.'),
    },
  });
  return (
    <DialogForm {...frame} onSubmit={form.onSubmit((values) => onSubmit(endpointOf(values)))}>
      <TextInput
        label="URL"
        description="Public and https: events are posted there as JSON"
        placeholder="https://example.com/webhooks"
        withAsterisk
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput label="Description" {...form.getInputProps('description')} />
      {mayHaveAll && (
        <Checkbox
          label="All events, with types added later"
          {...form.getInputProps('isForAll', { type: 'checkbox' })}
        />
      )}
      {!form.values.isForAll && (
        <MultiSelect
          label="Event types"
          data={mayHaveAll ? GROUPS : OF_PUBLISHER}
          searchable
          clearable
          withAsterisk
          clearButtonProps={{ 'aria-label': 'Remove all types' }}
          {...form.getInputProps('types')}
        />
      )}
    </DialogForm>
  );
}

function endpointOf({ url, description, isForAll: all, types }: Values): NewEndpoint {
  return {
    url: url.trim(),
    description: description.trim() || null,
    event_types: all ? ['*'] : (types as EventType[]),
  };
}
