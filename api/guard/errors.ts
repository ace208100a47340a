import type { ApiError } from '../../base/errors/apiError.ts';
import { asApiError } from '../../calls/errors/asApiError.ts';
import type { Context, Middleware } from '../context.ts';
import type { Limits } from './rate.ts';

/** Turns any thrown error into the platform's error answer. The cause goes to the request's log line. */
export function errors(limits: Limits): Middleware {
  return (ctx, next) => next().catch((thrown: unknown) => answerError(ctx, limits, thrown));
}

async function answerError(ctx: Context, limits: Limits, thrown: unknown): Promise<void> {
  const error = asApiError(thrown, ctx.state.requestId);
  ctx.state.log.error = thrown;
  if (ctx.res.headersSent) return cutOff(ctx);
  // Early refusals still carry rate-limit headers.
  if (ctx.state.key && !ctx.res.hasHeader('x-ratelimit-limit-requests')) await limits.setHeaders(ctx, ctx.state.key);
  renderError(ctx, error);
}

// Nothing more is sent: without an end, the client would keep waiting.
function cutOff({ res }: Context): void {
  if (!res.writableEnded) res.destroy();
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

// ElevenLabs' clients read the reason from its own member, and some of its codes differ from ours.
function vendorDetail(ctx: Context, { code, message }: ApiError): { status: string; message: string } | undefined {
  if (!ctx.path.startsWith('/voiceapi/')) return undefined;
  return { status: VENDOR_STATUS[code] ?? code, message };
}

const VENDOR_STATUS: Record<string, string> = {
  concurrency_limit_exceeded: 'too_many_concurrent_requests',
  insufficient_balance: 'quota_exceeded',
  content_policy_violation: 'content_against_policy',
};
