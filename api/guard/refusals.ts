import { ApiError } from '../../base/errors/apiError.ts';
import { retryIn } from '../../base/errors/limitErrors.ts';
import { validationError } from '../../base/errors/requestErrors.ts';
import type { BatchRefused } from '../../db/batches/batches.ts';
import type { StorageRefusal, StorageRefused } from '../../db/files/upload.ts';

const STATUSES: Record<StorageRefusal, number> = {
  file_not_found: 404,
  upload_not_found: 404,
  upload_ended: 409,
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

/** The error for a storage or session refusal. */
export function storageError({ code, message, generation }: StorageRefused): ApiError {
  if (code === 'invalid_name') return validationError([{ loc: ['body', 'name'], msg: message, type: 'value_error' }]);
  const headers: Record<string, string> = generation === undefined ? {} : { etag: `"dir-${generation}"` };
  return new ApiError({ status: STATUSES[code], code, message, headers });
}

/** The caller's error for a refused batch. */
export function batchError({ reason, message }: BatchRefused): ApiError {
  switch (reason) {
    case 'not_found':
      return new ApiError({ status: 404, code: 'batch_not_found', message });
    case 'ended':
      return new ApiError({ status: 409, code: 'batch_already_terminal', message });
    case 'too_many':
      return new ApiError({ status: 429, code: 'too_many_batches', message, headers: retryIn(60_000) });
    default:
      return reason satisfies never;
  }
}
