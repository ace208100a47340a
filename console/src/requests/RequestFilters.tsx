import { Button, Group, Select, TextInput } from '@mantine/core';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useModels } from '../api/models.ts';
import { useSearchState } from '../parts/useSearchState.ts';

const STATUSES = [
  { value: '200', label: 'Good' },
  { value: '4xx', label: 'Refused (4xx)' },
  { value: '5xx', label: 'Failed (5xx)' },
  { value: 'cancelled', label: 'Cancelled' },
];

const FILTERS = ['model', 'key', 'status', 'route', 'from', 'to'];

/** Filters of the log, kept in the address. */
export function RequestFilters() {
  const [search, set] = useSearchState();
  const models = useModels();
  const keys = useAnswer(['keys'], (signal) => api.GET('/console/v1/keys', { signal }), { staleTime: 60_000 });
  const isFiltered = FILTERS.some((name) => search[name]);
  return (
    <Group mb="md" gap="xs" align="flex-end">
      <Select
        label="Status"
        placeholder="Any"
        data={STATUSES}
        value={search.status ?? null}
        onChange={(status) => set({ status: status ?? undefined })}
        clearable
        clearButtonProps={CLEAR}
        className="filter"
      />
      <Select
        label="Model"
        placeholder="Any"
        data={withPresent(models.data?.data.map(({ id }) => ({ value: id, label: id })) ?? [], search.model)}
        value={search.model ?? null}
        onChange={(model) => set({ model: model ?? undefined })}
        searchable
        clearable
        clearButtonProps={CLEAR}
        className="filter"
      />
      <Select
        label="Key"
        placeholder="Any"
        data={withPresent(
          keys.data?.data.map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix})` })) ?? [],
          search.key,
        )}
        value={search.key ?? null}
        onChange={(key) => set({ key: key ?? undefined })}
        searchable
        clearable
        clearButtonProps={CLEAR}
        className="filter"
      />
      <Days />
      {isFiltered && (
        <Button variant="subtle" onClick={() => set(NONE)}>
          Clear
        </Button>
      )}
    </Group>
  );
}

const NONE = Object.fromEntries([...FILTERS, 'zone'].map((name) => [name, undefined]));

/** Days in the reader's zone, as for the list's times; in UTC when a report links here. */
function Days() {
  const [{ from, to, zone }, set] = useSearchState();
  const of = zone === 'utc' ? ' (UTC)' : '';
  return (
    <>
      <TextInput
        type="date"
        className="filter-day"
        label={`From${of}`}
        value={from ?? ''}
        max={to}
        onChange={(event) => set({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        className="filter-day"
        label={`To${of}`}
        value={to ?? ''}
        min={from}
        onChange={(event) => set({ to: event.currentTarget.value || undefined })}
      />
    </>
  );
}

const CLEAR = { 'aria-label': 'Clear' };

/** A filter in the address is shown even if the list lacks it: a removed model, for example. */
const withPresent = (options: { value: string; label: string }[], present: string | undefined) =>
  present === undefined || options.some(({ value }) => value === present)
    ? options
    : [...options, { value: present, label: present }];
