import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

/** A year in the thousands is complete: one that is typed begins as `0002`. */
const COMPLETE = /^[1-9]\d{3}-/;

/**
 * A day, `2026-11-21`, that is typed or chosen; `onChange` is told each complete one, and an empty text. While a person types, the input
 * shows what they type: a value that came back from the page's address in between would begin the typing anew.
 */
export function DayInput({
  value,
  onChange,
  ...props
}: {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (value: string) => void;
  'data-autofocus'?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(value);
  }, [value]);
  return (
    <TextInput
      {...props}
      ref={input}
      type="date"
      value={typed}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next);
        if (next === '' || COMPLETE.test(next)) onChange(next);
      }}
      onBlur={() => setTyped(value)}
    />
  );
}
