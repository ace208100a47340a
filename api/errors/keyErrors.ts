import { ApiError } from './apiError.ts';

// RFC 9110: a 401 names the authentication scheme.
const CHALLENGE = { 'www-authenticate': 'Bearer realm="Ledgerline API"' };

// LiteLLM recognises a wrong key only by OpenAI's words (its exception_mapping_utils.py); otherwise it reports a bad request.
const WRONG_KEY = 'Incorrect API key provided';

export const invalidApiKey = () =>
  new ApiError({
    status: 401,
    headers: CHALLENGE,
    code: 'invalid_api_key',
    message: `${WRONG_KEY}, or none. Send it as "Authorization: Bearer <key>" or "x-api-key: <key>".`,
  });

export const keyEnded = () =>
  new ApiError({
    status: 401,
    headers: CHALLENGE,
    code: 'invalid_api_key',
    message: `${WRONG_KEY}: it was revoked, or has expired.`,
  });

export const scopeNotAllowed = (scope: string) =>
  new ApiError({ status: 403, code: 'scope_not_allowed', message: `This key does not have the scope "${scope}".` });
