import { useState, type ComponentProps, type FormEvent } from 'react';
import { FormError } from './FormError.tsx';
import { lackingIn, type Lacking } from './lacking.ts';

/**
 * Every form that sends something. What lacks in it, or is refused by the API, stands at the fields that it concerns, and the rest above all
 * fields. With `noValidate` the API alone says what lacks.
 */
export function Form({
  error,
  onSubmit,
  noValidate = false,
  children,
  ...rest
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  error: unknown;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}) {
  const [lacking, setLacking] = useState<Lacking | null>(null);
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const found = noValidate ? null : lackingIn(event.currentTarget);
        setLacking(found);
        if (found) event.stopPropagation();
        else onSubmit(event);
      }}
    >
      <FormError error={lacking ?? error} mb="md" />
      {children}
    </form>
  );
}
