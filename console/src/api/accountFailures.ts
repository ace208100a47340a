/** What the accounts library refuses, by its code: the field that it is about, and what to do next, in words of the console. */
const FAILURES: Record<string, [param: string | null, sentence: string]> = {
  invalid_email_or_password: [null, 'The address or the password is wrong. Try again, or set a new password.'],
  invalid_password: ['password', 'This is not your password. Try again.'],
  invalid_email: ['email', 'Enter a whole address, such as maya@example.com.'],
  password_too_short: ['newPassword', 'Use at least 10 characters.'],
  password_too_long: ['newPassword', 'Use at most 128 characters.'],
  user_already_exists: ['email', 'There is an account with this address. Sign in instead.'],
  user_already_exists_use_another_email: ['email', 'There is an account with this address. Sign in instead.'],
  credential_account_not_found: [null, 'You have no password yet. Set one by “Forgot password” on the sign-in page.'],
  invalid_code: ['code', 'This code is wrong or over. Enter the one that the app shows now.'],
  invalid_backup_code: ['code', 'This is none of your unused recovery codes. Try another one.'],
  user_is_already_a_member_of_this_organization: ['email', 'This person is a member already. Change the role above.'],
  user_is_already_invited_to_this_organization: [
    'email',
    'This person is invited already. Withdraw that invitation first.',
  ],
  invitation_not_found: [null, 'This invitation was answered or withdrawn, or has expired. Ask for a new one.'],
  member_not_found: [null, 'This person is no longer a member. Reload the page.'],
  invalid_token: [null, 'This link is not valid, was used before, or has expired. Ask for a new one.'],
  invalid_two_factor_cookie: [null, 'This sign-in took too long. Go back and sign in again.'],
  challenge_not_found: [null, 'This took too long. Try again.'],
  passkey_not_found: [null, 'This passkey was removed already. Reload the page.'],
  you_have_reached_the_maximum_number_of_organizations: [null, 'You have as many workspaces as one person may have.'],
  you_cannot_leave_the_organization_as_the_only_owner: [
    null,
    'You are the only owner. Make another member owner first.',
  ],
  you_cannot_leave_the_organization_without_an_owner: [
    null,
    'You are the only owner. Make another member owner first.',
  ],
  you_are_not_allowed_to_invite_users_to_this_organization: [null, 'Only owners invite people. Ask an owner.'],
};

/** The field and the sentence for a refusal of the accounts library. */
export function accountFailure(code: string | undefined): { param: string | null; sentence: string } | undefined {
  const found = code === undefined ? undefined : FAILURES[code];
  return found && { param: found[0], sentence: found[1] };
}
