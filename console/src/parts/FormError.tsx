import { Alert } from '@mantine/core';
import { useRef } from 'react';
import { createPortal } from 'react-dom';
import { useFieldErrors } from './useFieldErrors.ts';

/**
 * Why a form was refused: at the fields that the refusal names, and above the form what concerns none of them. The region is there before
 * its text, which a screen reader then announces, once.
 */
export function FormError({ error, mb }: { error: unknown; mb?: 'sm' | 'md' | 'lg' }) {
  const region = useRef<HTMLDivElement>(null);
  const { fields, rest } = useFieldErrors(region, error);
  return (
    <>
      <div role="alert" ref={region}>
        {rest !== null && (
          <Alert color="red" mb={mb} role="presentation">
            {rest}
          </Alert>
        )}
      </div>
      {fields.map(({ id, message, place }) =>
        createPortal(
          <p id={id} className="field-error">
            {message}
          </p>,
          place,
          id,
        ),
      )}
    </>
  );
}
