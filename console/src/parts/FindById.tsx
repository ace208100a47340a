import { TextInput } from '@mantine/core';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useState, type FormEvent } from 'react';

/** A small field at the end of a list's filters that opens one thing by its id. */
export function FindById({
  label,
  placeholder,
  onFind,
}: {
  label: string;
  placeholder: string;
  onFind: (id: string) => void;
}) {
  const [id, setId] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim() !== '') onFind(id.trim());
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        size="xs"
        className="find-by-id"
        aria-label={label}
        placeholder={placeholder}
        leftSection={<MagnifyingGlassIcon />}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
    </form>
  );
}
