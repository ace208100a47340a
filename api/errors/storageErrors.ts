import type { StorageRefusal, StorageRefused } from '../../db/files/upload.ts';
import { ApiError } from './apiError.ts';
import { validationError } from './requestErrors.ts';

const STATUSES: Record<StorageRefusal, number> = {
  file_not_found: 404,
  session_not_found: 404,
  entry_not_found: 404,
  not_a_directory: 409,
  directory_cycle: 409,
  directory_changed: 412,
  invalid_name: 422,
  name_conflict: 409,
  file_too_large: 413,
  storage_limit_exceeded: 413,
  session_busy: 409,
};

/** The answer for a refusal by files or a session. */
export function storageError({ code, message, generation }: StorageRefused): ApiError {
  if (code === 'invalid_name') return validationError([{ loc: ['body', 'name'], msg: message, type: 'value_error' }]);
  const headers: Record<string, string> = generation === undefined ? {} : { etag: `"dir-${generation}"` };
  return new ApiError({ status: STATUSES[code], code, message, headers });
}
