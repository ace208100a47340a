import { Button, Popover, Stack } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Cross2Icon, MixerHorizontalIcon, PlusIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { FilterField, shownValue, type Filter } from './FilterField.tsx';
import { SavedFilters } from './SavedFilters.tsx';
import { useSearchState } from './useSearchState.ts';
import { Sheet } from './Sheet.tsx';

export type { Filter } from './FilterField.tsx';

/**
 * Filters as chips in one line, kept in the page's address; on a phone they are in a sheet, and those that are set are chips too. `children` stand at the end of the line: an
 * export, a switch. `saveAs` names the page whose filters a person may keep.
 */
export function FilterBar({ filters, saveAs, children }: { filters: Filter[]; saveAs?: string; children?: ReactNode }) {
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const [search, set] = useSearchState();
  const names = filters.flatMap(({ names: own }) => own);
  const isSet = names.some((name) => search[name]);
  const chips = isNarrow ? filters.filter((filter) => shownValue(filter, search) !== undefined) : filters;
  const clear = () => set(Object.fromEntries([...names, 'zone'].map((name) => [name, undefined])));
  return (
    <div className="filters" role="group" aria-label="Filters">
      {isNarrow && <FilterSheet filters={filters} />}
      {chips.map((filter) => (
        <Chip key={filter.label} filter={filter} />
      ))}
      {isSet && (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={clear}>
          Clear
        </Button>
      )}
      {saveAs && <SavedFilters page={saveAs} names={names} />}
      {children && <div className="filters-end">{children}</div>}
    </div>
  );
}

/** One filter: its name, and its value once it has one, with a button that removes it. */
function Chip({ filter }: { filter: Filter }) {
  const [search, set] = useSearchState();
  const [isOpen, { close, toggle }] = useDisclosure();
  const value = shownValue(filter, search);
  const isSet = value !== undefined;
  const names = 'isDays' in filter ? [...filter.names, 'zone'] : filter.names;
  const clear = () => set(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <Popover opened={isOpen} onChange={(open) => !open && close()} position="bottom-start" trapFocus returnFocus>
      <span className="chip" data-set={isSet || undefined}>
        {isSet && (
          <button type="button" className="chip-clear" aria-label={`Remove the filter ${filter.label}`} onClick={clear}>
            <Cross2Icon width={12} height={12} />
          </button>
        )}
        <Popover.Target>
          <button type="button" className="chip-open" onClick={toggle}>
            {!isSet && <PlusIcon width={12} height={12} />}
            <span>
              <span className="for-readers">Filter by </span>
              {filter.label}
            </span>
            {isSet && <span className="chip-value">{value}</span>}
          </button>
        </Popover.Target>
      </span>
      <Popover.Dropdown p="sm">
        <FilterField
          filter={filter}
          search={search}
          onChange={(change, isDone) => {
            set(change);
            if (isDone) close();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** All filters below each other, for a phone. */
function FilterSheet({ filters }: { filters: Filter[] }) {
  const [search, set] = useSearchState();
  const [isOpen, sheet] = useDisclosure();
  const count = filters.filter((filter) => shownValue(filter, search) !== undefined).length;
  return (
    <>
      <span className="chip" data-set={count > 0 || undefined}>
        <button type="button" className="chip-open" onClick={sheet.open}>
          <MixerHorizontalIcon width={12} height={12} />
          Filters
          {count > 0 && <span className="chip-value">{count}</span>}
        </button>
      </span>
      <Sheet isOpen={isOpen} onClose={sheet.close} position="bottom" size="auto" title="Filters">
        <Stack>
          {filters.map((filter) => (
            <FilterField key={filter.label} filter={filter} search={search} onChange={set} isLabelled />
          ))}
          <Button onClick={sheet.close}>Show the rows</Button>
        </Stack>
      </Sheet>
    </>
  );
}
