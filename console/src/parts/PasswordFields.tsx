import { PasswordInput, type PasswordInputProps } from '@mantine/core';

const CHARACTERS_MIN = 10;

/** The current password. */
export function PresentPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="Password"
      data-param="password"
      autoComplete="current-password"
      required
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      {...props}
    />
  );
}

/** A new password. */
export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="New password"
      data-param="newPassword"
      description={`At least ${CHARACTERS_MIN} characters`}
      minLength={CHARACTERS_MIN}
      autoComplete="new-password"
      required
      visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
      {...props}
    />
  );
}
