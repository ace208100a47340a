import { ApiError } from '../../base/errors/apiError.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import {
  fileStoreUnavailable,
  internalError,
  modelUnavailable,
  overloaded,
  providerFailed,
  providerTimeout,
} from '../../base/errors/serviceErrors.ts';
import { batchError } from '../../calls/errors/batchError.ts';
import { storageError } from '../../base/errors/storageErrors.ts';
import { isDatabaseDown } from '../../db/postgres/databaseErrors.ts';
import type { Context, Middleware } from '../context.ts';
import type { Limits } from './rate.ts';
import { BatchRefused } from '../../db/batches/batches.ts';
import type { AudioError } from '../../calls/audio/audioError.ts';
import type { ProviderError } from '../../providers/provider.ts';
import { StorageRefused } from '../../db/files/upload.ts';
import { ObjectStoreFailed } from '../../db/objects/objectStore.ts';
import { LedgerUnavailable } from '../../db/postgres/ledgerUnavailable.ts';
import type { InvalidRequest } from '../../calls/text/parameters/refusal.ts';
import { upstreamRefusal } from '../../calls/errors/upstreamRefusal.ts';

/** Turns any thrown error into the platform's error answer. The cause goes to the request's log line. */
export function errors(limits: Limits): Middleware {
  return (ctx, next) => next().catch((thrown: unknown) => answerError(ctx, limits, thrown));
}

async function answerError(ctx: Context, limits: Limits, thrown: unknown): Promise<void> {
  const error = asApiError(thrown, ctx.state.requestId);
  ctx.state.log.error = thrown;
  if (ctx.res.headersSent) return;
  // Early refusals still carry rate-limit headers.
  if (ctx.state.key && !ctx.res.hasHeader('x-ratelimit-limit-requests')) await limits.setHeaders(ctx, ctx.state.key);
  renderError(ctx, error);
}

/** Sets the error's answer in the context. */
export function renderError(ctx: Context, error: ApiError): void {
  const { status, body } = ctx.state.errorForm?.(error) ?? {
    status: error.status,
    body: { error: error.body, detail: error.detail ?? vendorDetail(ctx, error) },
  };
  ctx.status = status;
  // Clients retry a 409 automatically; `x-should-retry` prevents that where a retry cannot help.
  if (status === 409) ctx.set('x-should-retry', 'false');
  ctx.set(error.headers);
  ctx.body = body;
}

// ElevenLabs' clients read the reason from their own member, and some of its codes differ from ours.
function vendorDetail(ctx: Context, { code, message }: ApiError): { status: string; message: string } | undefined {
  if (!ctx.path.startsWith('/voiceapi/')) return undefined;
  return { status: VENDOR_STATUS[code] ?? code, message };
}

const VENDOR_STATUS: Record<string, string> = {
  concurrency_limit_exceeded: 'too_many_concurrent_requests',
  insufficient_balance: 'quota_exceeded',
  content_policy_violation: 'content_against_policy',
};

/** The caller's error for any thrown value. Unknown errors become an internal error. */
export function asApiError(thrown: unknown, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof StorageRefused) return storageError(thrown);
  if (thrown instanceof BatchRefused) return batchError(thrown);
  if (thrown instanceof ObjectStoreFailed) return fileStoreUnavailable(thrown);
  if (thrown instanceof LedgerUnavailable) return overloaded(1000, thrown);
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
      return isDatabaseDown(thrown) ? overloaded(1000, thrown) : internalError(requestId, thrown);
  }
}

// The sender of the audio can fix these; `too_slow` and `too_heavy` are faults of the file too.
function unreadableSound({ reason, message }: AudioError): ApiError {
  if (reason === 'too_large' || reason === 'too_long')
    return new ApiError({ status: 413, code: 'file_too_large', message, param: 'file' });
  return invalidRequest('invalid_audio', message, 'file');
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
