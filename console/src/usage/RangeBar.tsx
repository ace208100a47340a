import { Group, Menu, Popover, Stack, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CalendarIcon, ChevronDownIcon } from '@radix-ui/react-icons';
import { DayInput } from '../parts/DayInput.tsx';
import { FilterBar } from '../parts/FilterBar.tsx';
import { useKeyFilter, useModelFilter, useProjectFilter } from '../parts/useFilters.ts';
import { useSearchState } from '../parts/useSearchState.ts';
import { chosenOf, daysText, DEFAULT_DAYS, lastMonths, monthText, type Period } from './period.ts';

const RANGES = [
  { value: '3h', label: '3 hours' },
  { value: '1', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];
const MONTHS = 12;
const NONE = { days: undefined, month: undefined, from: undefined, to: undefined };

/** The period, the filters and the comparison, kept in the address. */
export function RangeBar({ period, nowMs }: { period: Period | undefined; nowMs: number | undefined }) {
  const [{ compare }, set] = useSearchState();
  return (
    <div className="range-bar">
      <Ranges period={period} nowMs={nowMs} />
      <FilterBar filters={[useModelFilter(), useKeyFilter(), ...useProjectFilter()]}>
        <Switch
          size="xs"
          label="Compare to previous period"
          checked={compare === '1'}
          onChange={(event) => set({ compare: event.currentTarget.checked ? '1' : undefined })}
        />
      </FilterBar>
    </div>
  );
}

function Ranges({ period, nowMs }: { period: Period | undefined; nowMs: number | undefined }) {
  const [search, set] = useSearchState();
  const { days = DEFAULT_DAYS, month, from } = chosenOf(search);
  const isOwn = from !== undefined;
  return (
    <div className="ranges" role="group" aria-label="Period">
      {RANGES.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          className="range"
          aria-pressed={!month && !isOwn && days === value}
          onClick={() => set({ ...NONE, days: value === DEFAULT_DAYS ? undefined : value })}
        >
          {label}
        </button>
      ))}
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className="range" data-set={month ? true : undefined}>
            {month ? monthText(month) : 'Month'} <ChevronDownIcon width={12} height={12} />
          </button>
        </Menu.Target>
        <Menu.Dropdown mah={320} className="scrolls">
          {lastMonths(MONTHS, nowMs ?? 0).map((value) => (
            // A month is asked for to compare it.
            <Menu.Item key={value} onClick={() => set({ ...NONE, month: value, compare: '1' })}>
              {monthText(value)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <OwnDays period={period} isOwn={isOwn} />
    </div>
  );
}

function OwnDays({ period, isOwn }: { period: Period | undefined; isOwn: boolean }) {
  const [search, set] = useSearchState();
  const [isOpen, { close, toggle }] = useDisclosure();
  const shown = { from: period?.from.slice(0, 10) ?? '', to: period?.to.slice(0, 10) ?? '' };
  // The period of the pictures follows the address later.
  const { from = shown.from, to = shown.to } = chosenOf(search);
  const choose = (change: { from?: string; to?: string }) => set({ ...NONE, from, to, ...change });
  return (
    <Popover opened={isOpen} onChange={(open) => !open && close()} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className="range" data-set={isOwn || undefined} onClick={toggle}>
          <CalendarIcon width={13} height={13} />
          {isOwn && period ? daysText(shown) : 'Custom'}
        </button>
      </Popover.Target>
      <Popover.Dropdown p="sm">
        <Stack gap="xs">
          <Group gap="xs" grow>
            <DayInput
              label="From"
              value={from}
              max={to}
              onChange={(value) => value && choose({ from: value })}
              data-autofocus
            />
            <DayInput label="To" value={to} min={from} onChange={(value) => value && choose({ to: value })} />
          </Group>
          <Text size="xs" c="dimmed">
            UTC days, both included.
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
