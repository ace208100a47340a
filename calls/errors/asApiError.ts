import { BatchRefused } from '../../db/batches/batches.ts';
import { isPassing } from '../../db/postgres/databaseErrors.ts';
import { StorageRefused } from '../../db/files/upload.ts';
import { ObjectStoreFailed } from '../../db/objects/objectStore.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { retryIn } from '../../base/errors/limitErrors.ts';
import type { InvalidRequest } from '../../base/errors/invalidRequest.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import {
  fileStoreUnavailable,
  internalError,
  modelUnavailable,
  overloaded,
  providerFailed,
  providerTimeout,
} from '../../base/errors/serviceErrors.ts';
import type { ProviderError } from '../../providers/provider.ts';
import type { AudioError } from '../audio/audioError.ts';
import { storageError } from '../../base/errors/storageErrors.ts';
import { upstreamRefusal } from './upstreamRefusal.ts';

/** The caller's error for any thrown value. Unknown errors become an internal error. */
export function asApiError(thrown: unknown, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof StorageRefused) return storageError(thrown);
  if (thrown instanceof BatchRefused) return batchError(thrown);
  if (thrown instanceof ObjectStoreFailed) return fileStoreUnavailable(thrown);
  const name: string = (thrown as Error | null)?.name ?? '';
  switch (name) {
    case 'InvalidRequest': {
      const { code, message, param } = thrown as InvalidRequest;
      return invalidRequest(code, message, param);
    }
    case 'ProviderError':
      return fromProvider(thrown as ProviderError);
    case 'AudioError':
      return unreadableSound(thrown as AudioError);
    default:
      return isPassing(thrown) || isMachineFull(thrown) ? overloaded(1000, thrown) : internalError(requestId, thrown);
  }
}

// Bodies and sounds pass through files of the machine. With space or fewer open files a retry succeeds.
const isMachineFull = (thrown: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'].includes((thrown as NodeJS.ErrnoException | null)?.code ?? '');

// The sender of the audio can fix these; `too_slow` and `too_heavy` are faults of the file too.
function unreadableSound({ reason, message, part }: AudioError): ApiError {
  if (reason === 'too_large' || reason === 'too_long')
    return new ApiError({ status: 413, code: 'file_too_large', message, param: part });
  if (reason === 'no_encoder') return invalidRequest('unsupported_parameter', message);
  return invalidRequest('invalid_audio', message, part);
}

function fromProvider(error: ProviderError): ApiError {
  switch (error.fault) {
    case 'refused':
      return upstreamRefusal(error);
    case 'overloaded':
      return overloaded(error.retryAfterMs, error);
    // The platform's own account at the upstream is not shown to the caller.
    case 'account':
      return overloaded(5_000, error);
    case 'unavailable':
      return modelUnavailable(error.message, error);
    case 'stalled':
      return providerTimeout(error);
    case 'failed':
    case 'unreachable':
      return providerFailed(error);
    default:
      return error.fault satisfies never;
  }
}

/** The caller's error for a refused batch. */
function batchError({ reason, message, param }: BatchRefused): ApiError {
  switch (reason) {
    case 'not_found':
      return new ApiError({ status: 404, code: 'batch_not_found', message, param: param ?? null });
    case 'ended':
      return new ApiError({ status: 409, code: 'batch_already_terminal', message });
    case 'too_many':
      return new ApiError({ status: 429, code: 'too_many_batches', message, headers: retryIn(60_000) });
    default:
      return reason satisfies never;
  }
}
