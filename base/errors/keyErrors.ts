import { ApiError } from './apiError.ts';

// RFC 9110: a 401 names the authentication scheme.
const CHALLENGE = { 'www-authenticate': 'Bearer realm="Ledgerline API"' };

// LiteLLM recognises a wrong key only by OpenAI's words (its exception_mapping_utils.py); otherwise it reports a bad request.
const WRONG_KEY = 'Incorrect API key provided';

/** No key, or an unknown one; `mistake` is the end of the sentence about the one that was sent. */
export const invalidApiKey = (mistake?: string) =>
  new ApiError({
    status: 401,
    headers: CHALLENGE,
    code: 'invalid_api_key',
    message:
      mistake === undefined
        ? `${WRONG_KEY}, or none. Send it as "Authorization: Bearer <key>", "x-api-key: <key>" or "xi-api-key: <key>".`
        : `${WRONG_KEY}: ${mistake}`,
  });

export const keyEnded = () =>
  new ApiError({
    status: 401,
    headers: CHALLENGE,
    code: 'invalid_api_key',
    message: `${WRONG_KEY}: it was revoked, or has expired.`,
  });

/** The header `OpenAI-Project` names another project than the key's. OpenAI's words. */
export const mismatchedProject = () =>
  new ApiError({
    status: 401,
    headers: CHALLENGE,
    code: 'mismatched_project',
    message: 'OpenAI-Project header should match project for API key.',
  });

export const projectArchived = () =>
  new ApiError({
    status: 401,
    headers: CHALLENGE,
    code: 'project_archived',
    message: 'The project of this API key is archived. Use a key of an active project, or have the project restored.',
  });

/** What concerns the whole workspace is closed to callers that are limited to some of its projects. */
export const limitedToProjects = () =>
  new ApiError({
    status: 403,
    code: 'limited_to_projects',
    message:
      'This concerns the whole workspace, and you are limited to some of its projects. Ask an owner, or use a key of the default project.',
  });

type SecretRefusal = 'unknown' | 'expired' | 'used_up' | 'spent';

const SECRET_REFUSALS: Record<SecretRefusal, { code: string; problem: string }> = {
  unknown: { code: 'invalid_api_key', problem: `${WRONG_KEY}: this client secret is unknown, or its key was revoked.` },
  expired: { code: 'client_secret_expired', problem: 'This client secret has expired.' },
  used_up: { code: 'client_secret_used_up', problem: 'This client secret has opened as many sessions as it may.' },
  spent: { code: 'client_secret_spend_limit_reached', problem: 'The spend limit of this client secret is reached.' },
};

/** A client secret opens no session: 402 for its spend limit, else 401. */
export function clientSecretRefused(refusal: SecretRefusal): ApiError {
  const { code, problem } = SECRET_REFUSALS[refusal];
  const advice = 'Create another one with POST /textapi/v1/realtime/client_secrets.';
  const status = refusal === 'spent' ? 402 : 401;
  return new ApiError({ status, ...(status === 401 && { headers: CHALLENGE }), code, message: `${problem} ${advice}` });
}

/** The scopes are those of which one is enough. */
export const scopeNotAllowed = (...scopes: [string, ...string[]]) =>
  new ApiError({
    status: 403,
    code: 'scope_not_allowed',
    message: `This key does not have the scope ${scopes.map((scope) => `"${scope}"`).join(' or ')}.`,
  });

export const ipNotAllowed = (address: string) =>
  new ApiError({
    status: 403,
    code: 'ip_not_allowed',
    message:
      `This key is not accepted from the address ${address || 'of this connection'}. ` +
      'Use it from one of its allowed_ips, or have them changed.',
  });

/** The caller lacks a scope that the key has or would get; `held` lists the scopes that the caller may grant. */
export const scopeNotGrantable = (refused?: string, held: readonly string[] = []) =>
  new ApiError({
    status: 403,
    code: 'scope_not_grantable',
    param: refused === undefined ? null : 'scopes',
    message:
      refused === undefined
        ? 'This key has a scope that you lack. Ask an owner of the workspace to change it; you may revoke it.'
        : `You lack the scope "${refused}", so you cannot give it. You may give: ${held.join(', ')}.`,
  });

/** The member's role does not permit this; names the roles that do. */
export const roleNotAllowed = (role: string, allowed: readonly string[]) =>
  new ApiError({
    status: 403,
    code: 'role_not_allowed',
    message:
      allowed.length === 0
        ? 'Only operators of the platform may do this.'
        : `Your role in this workspace is ${role}. This needs the role ${allowed.join(' or ')}: ask an owner for it.`,
  });

export const notSignedIn = () =>
  new ApiError({
    status: 401,
    headers: { 'www-authenticate': 'Cookie realm="Ledgerline console"' },
    code: 'not_signed_in',
    message: 'You are not signed in, or your session has ended. Sign in at the console.',
  });

export const workspaceNotAllowed = () =>
  new ApiError({
    status: 403,
    code: 'workspace_not_allowed',
    message: 'You do not belong to this workspace, or no longer. Open another one of yours.',
  });

export const sessionRequired = () =>
  new ApiError({
    status: 403,
    code: 'session_required',
    message: 'This is for people who are signed in to the console: a key cannot do it.',
  });

export const csrfRefused = (problem: string) =>
  new ApiError({
    status: 403,
    code: 'csrf_refused',
    message: `${problem} A session counts for pages of this installation only; programs use an API key.`,
  });

/** The request's Host is not the console's. */
export const hostNotAllowed = (publicUrl: string) =>
  new ApiError({
    status: 403,
    code: 'host_not_allowed',
    message:
      `The console answers at ${publicUrl} only, and the Host header names another address. ` +
      'Set PUBLIC_URL to the address that people use; a proxy must forward their Host header.',
  });

export const ownerRequired = () =>
  new ApiError({
    status: 403,
    code: 'owner_required',
    message: 'This needs an owner of the workspace who is signed in to the console. No key can do it.',
  });

export const recentLoginRequired = () =>
  new ApiError({
    status: 403,
    code: 'recent_login_required',
    message: 'You signed in more than 12 hours ago. Sign in again to do this.',
  });

export const singleSignOnRequired = () =>
  new ApiError({
    status: 403,
    code: 'single_sign_on_required',
    message:
      'This workspace is open only through its identity provider. Sign in with your company, by your mail address.',
  });

export const addressOfCompany = () =>
  new ApiError({
    status: 403,
    code: 'address_of_company',
    message:
      'A workspace of yours is open only through the identity provider of this address: with another one it would be open without. ' +
      'Leave the workspace first, or have an owner change that.',
  });

export const secondFactorRequired = () =>
  new ApiError({
    status: 403,
    code: 'second_factor_required',
    message:
      'This workspace requires two-factor authentication. Turn it on in your settings, or add a passkey and sign in with it.',
  });

export const providerSession = () =>
  new ApiError({
    status: 403,
    code: 'provider_session',
    message:
      'You signed in with your company: this session opens its workspace alone, and changes nothing about how you sign in. ' +
      'Sign in in another way to do this.',
  });

export const tooManyTries = (waitMs: number) =>
  new ApiError({
    status: 429,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
    code: 'too_many_tries',
    message: `There were too many tries. Wait ${Math.ceil(waitMs / 60_000)} minutes, then try again.`,
  });

/** A limited key may not let another one, which pays for the run or the schedule, spend more. */
export const ofAnotherKey = (of: 'run' | 'schedule') =>
  new ApiError({
    status: 403,
    code: `${of}_of_another_key`,
    message: `Another key pays for this ${of}, and yours is limited. Use the key that made the ${of}, or one without limits.`,
  });
