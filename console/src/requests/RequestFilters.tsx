import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useModels } from '../api/models.ts';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';

const STATUSES = [
  { value: '200', label: 'Succeeded' },
  { value: '4xx', label: 'Refused (4xx)' },
  { value: '5xx', label: 'Failed (5xx)' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** Filters of the log, kept in the address. */
export function RequestFilters({ children }: { children?: ReactNode }) {
  const models = useModels();
  const keys = useAnswer(['keys'], (signal) => api.GET('/console/v1/keys', { signal }), { staleTime: 60_000 });
  const filters: Filter[] = [
    { label: 'Status', names: ['status'], options: STATUSES },
    {
      label: 'Model',
      names: ['model'],
      options: models.data?.data.map(({ id }) => ({ value: id, label: id })) ?? [],
    },
    {
      label: 'Key',
      names: ['key'],
      options: keys.data?.data.map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix})` })) ?? [],
    },
    { label: 'Date', names: ['from', 'to'], isDays: true },
  ];
  return (
    <FilterBar filters={filters} saveAs="requests">
      {children}
    </FilterBar>
  );
}
