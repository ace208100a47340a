import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Form } from './Form.tsx';

/** The properties of a form that creates something, or changes it: `from` is what it is now. */
export interface DialogFormProps<From, Sent> {
  from?: From;
  submitLabel: string;
  isPending: boolean;
  error: unknown;
  onSubmit: (sent: Sent) => void;
}

/** A form with its error above and its button below. */
export function DialogForm({
  submitLabel,
  isPending,
  isDisabled = false,
  error,
  isDangerous = false,
  onSubmit,
  children,
}: Pick<DialogFormProps<never, never>, 'submitLabel' | 'isPending' | 'error'> & {
  isDisabled?: boolean;
  /** It takes something from others. */
  isDangerous?: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
}) {
  return (
    <Form error={error} onSubmit={onSubmit}>
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={isDisabled} {...(isDangerous && { color: 'red.8' })}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
