import { TextInput } from '@mantine/core';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';

/** The field that searches a list while one types. `label` says what is searched; it is shown in the empty field, unless `hint` is. */
export function SearchField({
  label,
  hint = label,
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  value: string | undefined;
  onChange: (text: string) => void;
}) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={hint}
      leftSection={<MagnifyingGlassIcon />}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
