import { Alert } from '@mantine/core';
import { sentenceOf } from '../api/failure.ts';

/** Why a form was refused. The region is there before its text, which a screen reader then announces, once. */
export function FormError({ error, mb }: { error: unknown; mb?: 'sm' | 'md' | 'lg' }) {
  return (
    <div role="alert">
      {Boolean(error) && (
        <Alert color="red" mb={mb} role="presentation">
          {typeof error === 'string' ? error : sentenceOf(error)}
        </Alert>
      )}
    </div>
  );
}
