import { Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { countText } from './figures.tsx';
import { DayInput } from './DayInput.tsx';

type Search = Record<string, string | undefined>;

export interface Option {
  value: string;
  label: string;
}

/** A choice of one value, a text, or a range of days; `names` are its members in the page's address. */
export type Filter =
  | { label: string; names: [string]; options: Option[]; onSearch?: (text: string) => void }
  | { label: string; names: [string]; example: string }
  | { label: string; names: [from: string, to: string]; isDays: true };

/** The most choices shown at once: thousands of them take seconds to draw, and nobody reads them. Typing finds the others. */
export const CHOICES_MAX = 100;

/** With more choices than that, a field of a form is searched by typing. */
export const SEARCHED_FROM = 10;

/** What its chip shows; undefined while it is not set. */
export function shownValue(filter: Filter, search: Search): string | undefined {
  if ('isDays' in filter) {
    const [from, to] = filter.names.map((name) => search[name] && momentText(search[name]));
    if (!from && !to) return undefined;
    const days = from === to ? from! : `${from ?? '…'} – ${to ?? 'today'}`;
    return `${days} ${search.zone === 'utc' ? 'UTC' : 'your time'}`;
  }
  const value = search[filter.names[0]];
  if ('example' in filter) return value;
  return value ? (filter.options.find((option) => option.value === value)?.label ?? value) : undefined;
}

/** A day as it is, a moment to the minute: `2026-11-26 10:00`. */
const momentText = (value: string): string => (value.includes('T') ? value.slice(0, 16).replace('T', ' ') : value);

/** The control that sets a filter. `onChange` is also told whether that completes it. */
export function FilterField({
  filter,
  search,
  onChange,
  isLabelled = false,
}: {
  filter: Filter;
  search: Search;
  onChange: (change: Search, isDone: boolean) => void;
  /** With its name above; a chip shows it already. */
  isLabelled?: boolean;
}) {
  if ('isDays' in filter) return <Days filter={filter} search={search} isLabelled={isLabelled} onChange={onChange} />;
  const [name] = filter.names;
  const present = search[name];
  if ('example' in filter)
    return (
      <Words
        filter={filter}
        present={present}
        isLabelled={isLabelled}
        onDone={(text) => onChange({ [name]: text }, true)}
      />
    );
  return (
    <Select
      label={isLabelled ? filter.label : undefined}
      aria-label={filter.label}
      placeholder={placeholderOf(filter.options.length, isLabelled)}
      data={withPresent(filter.options, present)}
      value={present ?? null}
      onChange={(value) => onChange({ [name]: value ?? undefined }, true)}
      searchable
      onSearchChange={filter.onSearch}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear' }}
      comboboxProps={{ withinPortal: false }}
      maxDropdownHeight={260}
      limit={CHOICES_MAX}
      w={isLabelled ? '100%' : 260}
      data-autofocus={!isLabelled || undefined}
    />
  );
}

/** Of many choices only the first ones are shown: their number says that there are more. */
function placeholderOf(count: number, isLabelled: boolean): string {
  if (count > CHOICES_MAX) return `Search ${countText(count)}…`;
  return isLabelled ? 'Any' : 'Search…';
}

/** A text, which applies when it is entered or left. */
function Words({
  filter: { label, example },
  present = '',
  isLabelled,
  onDone,
}: {
  filter: Extract<Filter, { example: string }>;
  present?: string | undefined;
  isLabelled: boolean;
  onDone: (text: string | undefined) => void;
}) {
  const [text, setText] = useState(present);
  const isChanged = text.trim() !== present;
  const apply = () => onDone(text.trim() || undefined);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextInput
        label={isLabelled ? label : undefined}
        aria-label={label}
        placeholder={example}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => isChanged && apply()}
        maxLength={200}
        spellCheck={false}
        w={isLabelled ? '100%' : 260}
        data-autofocus={!isLabelled || undefined}
      />
    </form>
  );
}

/** Days in the reader's zone, as lists show their times, or in UTC, as reports and statements have theirs. */
function Days({
  filter: { label, names },
  search,
  isLabelled,
  onChange,
}: {
  filter: { label: string; names: [string, string] };
  search: Search;
  isLabelled: boolean;
  onChange: (change: Search, isDone: boolean) => void;
}) {
  const [from, to] = names;
  const [ownFrom, ownTo] = [dayOf(search[from]), dayOf(search[to])];
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Group gap="xs" grow>
        <DayInput
          label="From"
          value={ownFrom}
          max={ownTo}
          onChange={(value) => onChange({ [from]: value || undefined }, false)}
          data-autofocus={!isLabelled || undefined}
        />
        <DayInput
          label="To"
          value={ownTo}
          min={ownFrom}
          onChange={(value) => onChange({ [to]: value || undefined }, false)}
        />
      </Group>
      <Switch
        size="xs"
        label="Days of UTC"
        description="As in usage reports and statements; otherwise days of your time."
        checked={search.zone === 'utc'}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ zone: checked ? 'utc' : undefined, [from]: ownFrom || undefined, [to]: ownTo || undefined }, false)
        }
      />
      {(search[from] || search[to]) && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={() => onChange({ [from]: undefined, [to]: undefined, zone: undefined }, true)}
        >
          Any time
        </Button>
      )}
    </Stack>
  );
}

/** The day of a moment that a report links to. */
const dayOf = (value = ''): string => value.slice(0, 10);

/** A value in the address is shown even if the list lacks it: a removed model, for example. */
const withPresent = (options: Option[], present: string | undefined): Option[] =>
  present === undefined || options.some(({ value }) => value === present)
    ? options
    : [...options, { value: present, label: present }];
