import { ApiError } from './apiError.ts';
import { validationErrorAt } from './requestErrors.ts';

const STATUSES = {
  file_not_found: 404,
  upload_not_found: 404,
  upload_ended: 409,
  session_not_found: 404,
  entry_not_found: 404,
  not_a_directory: 409,
  directory_cycle: 409,
  directory_changed: 412,
  state_changed: 412,
  state_too_large: 413,
  state_version_not_found: 404,
  invalid_name: 422,
  name_conflict: 409,
  file_too_large: 413,
  storage_limit_exceeded: 413,
  session_busy: 409,
};

/** The error for a storage or session refusal. */
export function storageError({
  code,
  message,
  generation,
  param,
}: {
  code: keyof typeof STATUSES;
  message: string;
  /** The current generation of a session's directories, or the version of its state. */
  generation: number | undefined;
  param?: string | undefined;
}): ApiError {
  if (code === 'invalid_name') return validationErrorAt(['body', 'name'], message);
  const tag = code === 'state_changed' ? 'state' : 'dir';
  const headers: Record<string, string> = generation === undefined ? {} : { etag: `"${tag}-${generation}"` };
  return new ApiError({ status: STATUSES[code], code, message, headers, param: param ?? null });
}
