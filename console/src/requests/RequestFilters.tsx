import type { ReactNode } from 'react';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';
import { PRODUCTS } from '../parts/productNames.ts';
import { useKeyFilter, useModelFilter, useProjectFilter } from '../parts/useFilters.ts';
import { useSearchState } from '../parts/useSearchState.ts';

const STATUSES = [
  { value: '200', label: 'Succeeded' },
  { value: '4xx', label: 'Refused (4xx)' },
  { value: '5xx', label: 'Failed (5xx)' },
  { value: 'cancelled', label: 'Cancelled' },
];

const CONTENTS = [
  { value: 'true', label: 'Kept' },
  { value: 'false', label: 'Not kept' },
];

// Set by links from Usage alone: they are shown once they are set.
const LINKED: { label: string; names: [string]; options: [] }[] = [
  { label: 'Error code', names: ['code'], options: [] },
  { label: 'Member', names: ['member'], options: [] },
  { label: 'Route', names: ['route'], options: [] },
];

/** Filters of the log, kept in the address. */
export function RequestFilters({ children }: { children?: ReactNode }) {
  const [search] = useSearchState();
  const filters: Filter[] = [
    { label: 'Status', names: ['status'], options: STATUSES },
    useModelFilter(),
    useKeyFilter(),
    ...useProjectFilter(),
    { label: 'Product', names: ['product'], options: PRODUCTS },
    { label: 'Content', names: ['content'], options: CONTENTS },
    { label: 'Date', names: ['from', 'to'], isDays: true },
    ...LINKED.filter(({ names: [name] }) => search[name]),
  ];
  return (
    <FilterBar filters={filters} saveAs="requests">
      {children}
    </FilterBar>
  );
}
