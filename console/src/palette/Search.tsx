import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Entry } from './entries.ts';
import { useEntries } from './useEntries.ts';

const GROUPS = ['Found', 'Pages', 'Actions', 'Models'] as const;

/** A field, and below it what it finds. The first line is chosen: Enter opens it. */
export function Search({ onDone, onKeys }: { onDone: () => void; onKeys: () => void }) {
  const [text, setText] = useState('');
  const { entries, isSearching } = useEntries(text, onKeys);
  const combobox = useCombobox({ opened: true });
  const router = useRouter();
  const found = entries.map(({ value }) => value).join('\n');
  useEffect(() => void combobox.selectFirstOption(), [found]);
  const follow = (value: string) => {
    const { to, act } = entries.find((entry) => entry.value === value)!;
    if (act !== onKeys) onDone();
    act?.();
    if (to === '/docs') location.assign(to);
    else if (to) void router.navigate({ href: to });
  };
  return (
    <Combobox store={combobox} onOptionSubmit={follow}>
      <Combobox.EventsTarget>
        <TextInput
          className="palette-field"
          variant="unstyled"
          size="md"
          data-autofocus
          aria-label="Search"
          placeholder="Search pages, models, or any ID"
          leftSection={<MagnifyingGlassIcon />}
          rightSection={isSearching && <Loader size="xs" role="status" aria-label="Searching" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          // The list keeps this key from the dialog.
          onKeyDown={({ key }) => key === 'Escape' && onDone()}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className="palette-options" aria-label="Results">
        {GROUPS.map((group) => (
          <Group key={group} name={group} entries={entries.filter((entry) => entry.group === group)} />
        ))}
        {entries.length === 0 && (
          <Combobox.Empty>{isSearching ? 'Searching…' : 'Nothing has this ID or name'}</Combobox.Empty>
        )}
      </Combobox.Options>
    </Combobox>
  );
}

function Group({ name, entries }: { name: string; entries: Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <Combobox.Group label={name}>
      {entries.map(({ value, label, note, icon: Icon }) => (
        <Combobox.Option key={value} value={value} className="palette-option">
          {Icon && <Icon />}
          <span className="palette-label">{label}</span>
          {note && <span className="palette-note">{note}</span>}
        </Combobox.Option>
      ))}
    </Combobox.Group>
  );
}
