import { Alert, Anchor } from '@mantine/core';
import { useRef } from 'react';
import { createPortal } from 'react-dom';
import { isSignInOld } from '../api/failure.ts';
import { signInAddress } from '../api/me.ts';
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
            {isSignInOld(error) ? <SignInAgain /> : rest}
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

const SignInAgain = () => (
  <>
    Your sign-in is some hours old.{' '}
    <Anchor
      href={signInAddress(location.pathname + location.search, 'again')}
      target="_blank"
      rel="noreferrer"
      inherit
      underline="always"
    >
      Sign in again
    </Anchor>
    , then send this once more: what you typed stays.
  </>
);
