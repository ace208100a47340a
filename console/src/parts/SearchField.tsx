import { TextInput } from '@mantine/core';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useSearchState } from './useSearchState.ts';

/**
 * The field that searches a list while one types; the text is the member `name` of the page's address. `label` says what is searched; it is
 * shown in the empty field, unless `hint` is.
 */
export function SearchField({ label, hint = label, name = 'q' }: { label: string; hint?: string; name?: string }) {
  const [search, set] = useSearchState();
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={hint}
      leftSection={<MagnifyingGlassIcon />}
      value={search[name] ?? ''}
      onChange={(event) => set({ [name]: event.currentTarget.value || undefined })}
    />
  );
}
