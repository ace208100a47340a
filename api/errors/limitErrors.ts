import { ApiError } from './apiError.ts';
import { retryIn } from './retryIn.ts';

export const rateLimitExceeded = (limit: number, waitMs: number) =>
  new ApiError({
    status: 429,
    code: 'rate_limit_exceeded',
    message: `This key may make ${limit} requests a minute. Try again in ${Math.ceil(waitMs / 1000)} s.`,
    headers: retryIn(waitMs),
  });

export const concurrencyLimitExceeded = (limit: number) =>
  new ApiError({
    status: 429,
    code: 'concurrency_limit_exceeded',
    message: `This key may have ${limit} requests in flight. Try again when one of them has ended.`,
    headers: retryIn(1000),
  });

/** What a 402 says beside its message: which limit it was, what is left of it, and when it is reset. */
export interface LimitState {
  source: 'balance' | 'key' | 'hold';
  remainingUsd: string;
  resetsAt: string | null;
}

const limitHeaders = ({ source, remainingUsd, resetsAt }: LimitState) => ({
  'x-limit-source': source,
  'x-limit-remaining-usd': remainingUsd,
  ...(resetsAt && { 'x-limit-resets-at': resetsAt }),
});

export const insufficientBalance = (state: LimitState) =>
  new ApiError({
    status: 402,
    code: 'insufficient_balance',
    headers: limitHeaders(state),
    message:
      state.source === 'hold'
        ? 'What is left of the balance is held by requests that are running. Try again when they have ended, or top up.'
        : 'The account balance is zero. Top up to go on.',
  });

export const keySpendLimitReached = (state: LimitState) =>
  new ApiError({
    status: 402,
    code: 'key_spend_limit_reached',
    headers: limitHeaders(state),
    message:
      state.source === 'hold'
        ? 'What is left of the spend limit of this key is held by requests that are running. Try again when they have ended, or raise the limit.'
        : 'This key has reached its spend limit. Raise the limit or wait for its reset.',
  });
