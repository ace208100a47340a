import { ApiError } from '../../base/errors/apiError.ts';
import { notSignedIn } from '../../base/errors/keyErrors.ts';
import { asSentence } from '../../base/sentences.ts';

// How the library begins its sentence about a member of the body.
const OF_MEMBER = /^\[body\.(\w+)\] /;

/** The members that the library's refusals are about, where its sentences do not begin with them: the first one that was sent. */
const PARAMS: Record<string, readonly string[]> = {
  INVALID_EMAIL: ['email', 'newEmail'],
  USER_ALREADY_EXISTS: ['email', 'newEmail'],
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: ['email', 'newEmail'],
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: ['email'],
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: ['email'],
  PASSWORD_TOO_SHORT: ['newPassword', 'password'],
  PASSWORD_TOO_LONG: ['newPassword', 'password'],
  INVALID_PASSWORD: ['currentPassword', 'password'],
  INVALID_TOKEN: ['token'],
  INVALID_CODE: ['code'],
  INVALID_BACKUP_CODE: ['code'],
  CODE_USED: ['code'],
  INVITATION_NOT_FOUND: ['invitationId', 'id'],
  MEMBER_NOT_FOUND: ['memberId', 'memberIdOrEmail'],
  ACCOUNT_NOT_FOUND: ['accountId'],
  PASSKEY_NOT_FOUND: ['id'],
};

/** A refusal of the accounts library in the API's form, with the member of what was `sent` that it is about. */
export function refusalOf(status: number, answer: unknown, sent: Record<string, unknown>): ApiError {
  const { code = '', message = 'The request was refused.' } = (answer ?? {}) as Record<string, string>;
  // The library names no other code where it asks for a session.
  if (status === 401 && (code === '' || code === 'UNAUTHORIZED')) return notSignedIn();
  return new ApiError({
    // The library counts whatever is wrong with a passkey that was sent as a fault of its own.
    status: code === 'FAILED_TO_VERIFY_REGISTRATION' ? 400 : status,
    code: code.toLowerCase() || 'request_refused',
    message: asSentence(message.replace(OF_MEMBER, '')),
    param:
      OF_MEMBER.exec(message)?.[1] ?? PARAMS[code.toUpperCase()]?.find((name) => Object.hasOwn(sent, name)) ?? null,
  });
}
