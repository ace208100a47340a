import { ApiError } from '../../base/errors/apiError.ts';
import { retryIn } from '../../base/errors/limitErrors.ts';
import type { BatchRefused } from '../../db/batches/batches.ts';

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
