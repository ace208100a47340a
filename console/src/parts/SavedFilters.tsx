import { Button, Menu, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { BookmarkIcon, TrashIcon } from '@radix-ui/react-icons';
import { useState, type FormEvent } from 'react';
import { useSearchState } from './useSearchState.ts';

interface Saved {
  name: string;
  search: Record<string, string>;
}

const NAME_LENGTH_MAX = 40;

/** Filters of a page that a person has kept under a name, in this browser. */
export function SavedFilters({ page, names }: { page: string; names: string[] }) {
  const [search, set] = useSearchState();
  const [saved, setSaved] = useLocalStorage<Saved[]>({ key: `ledgerline.filters.${page}`, defaultValue: [] });
  const [name, setName] = useState('');
  const present = Object.fromEntries([...names, 'zone'].flatMap((one) => (search[one] ? [[one, search[one]]] : [])));
  const isSet = Object.keys(present).length > 0;
  if (!isSet && saved.length === 0) return null;
  const keep = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    setSaved([...saved.filter((one) => one.name !== name.trim()), { name: name.trim(), search: present }]);
    setName('');
  };
  const show = (one: Saved) => set(Object.fromEntries([...names, 'zone'].map((own) => [own, one.search[own]])));
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-xs" leftSection={<BookmarkIcon width={12} height={12} />}>
          Saved filters
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {saved.map((one) => (
          <Menu.Item key={one.name} onClick={() => show(one)}>
            {one.name}
          </Menu.Item>
        ))}
        {saved.map((one) => (
          <Menu.Item
            key={one.name}
            c="dimmed"
            leftSection={<TrashIcon />}
            onClick={() => setSaved(saved.filter((other) => other !== one))}
          >
            Forget “{one.name}”
          </Menu.Item>
        ))}
        {isSet && (
          <form onSubmit={keep}>
            <TextInput
              m={6}
              aria-label="Name of these filters"
              placeholder="Save these filters as…"
              value={name}
              maxLength={NAME_LENGTH_MAX}
              onChange={(event) => setName(event.currentTarget.value)}
              rightSection={
                <Button type="submit" size="compact-xs" variant="subtle">
                  Save
                </Button>
              }
              rightSectionWidth={56}
            />
          </form>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
