import { ApiError } from './apiError.ts';

// Clients of OpenAI search for these words to tell an exhausted account from a rate limit, and both from a bad request: see
// test/api/errors/wellKnownWords.test.ts. Only an error that a wait resolves may say "rate limit": LiteLLM turns any that does into a
// RateLimitError.
const RATE_LIMIT = 'Rate limit reached for';
const keyNamed = (isAbove: boolean) => (isAbove ? 'a key that made this key' : 'this key');
const QUOTA = 'You exceeded your current quota';

/** `isAbove`: the limit is that of a key from which the calling key comes. */
export const rateLimitExceeded = (limit: number, waitMs: number, isAbove = false) =>
  new ApiError({
    status: 429,
    code: 'rate_limit_exceeded',
    message:
      `${RATE_LIMIT} ${keyNamed(isAbove)} on requests per min (RPM): Limit ${limit}. ` +
      `Please try again in ${Math.ceil(waitMs / 1000)}s.`,
    headers: retryIn(waitMs),
  });

export const concurrencyLimitExceeded = (limit: number, of: 'call' | 'follower' | 'steering', isAbove = false) =>
  new ApiError({
    status: 429,
    code: 'concurrency_limit_exceeded',
    message:
      `${RATE_LIMIT} ${keyNamed(isAbove)} on ${of === 'follower' ? 'open event streams' : 'requests in flight'}: Limit ${limit}. ` +
      'Please try again when one of them has ended.',
    headers: retryIn(1000),
  });

/** Streams of a workspace's events, over all its keys. */
export const tooManyEventStreams = (limit: number) =>
  new ApiError({
    status: 429,
    code: 'too_many_event_streams',
    message: `Rate limit reached for this workspace on open streams of its events: Limit ${limit}. Close one of them, or try again shortly.`,
    headers: retryIn(5_000),
  });

/** Details of a 402 error: the limit reached, its remainder, and when it resets. */
export interface LimitState {
  source: 'balance' | 'key' | 'project';
  remainingUsd: string;
  resetsAt: string | null;
  /** The call's minimum cost, when some money is left but less than that. */
  neededUsd?: string;
  /** The call runs: the cost is that of the next part of its answer. */
  isBegun?: boolean;
}

const needOf = ({ neededUsd, isBegun }: LimitState) =>
  `${QUOTA}: ${isBegun ? 'the next part of the answer' : 'this request'} needs at least ${neededUsd} USD`;

const orSmaller = ({ isBegun }: LimitState) => (isBegun ? '' : ', or send a smaller request');
const orReset = ({ isBegun }: LimitState) =>
  isBegun
    ? 'Raise the limit or wait for its reset.'
    : 'Raise the limit, wait for its reset, or send a smaller request.';

const limitHeaders = ({ source, remainingUsd, resetsAt }: Omit<LimitState, 'source'> & { source: string }) => ({
  'x-limit-source': source,
  'x-limit-remaining-usd': remainingUsd,
  ...(resetsAt && { 'x-limit-resets-at': resetsAt }),
});

export const insufficientBalance = (state: LimitState) =>
  new ApiError({
    status: 402,
    code: 'insufficient_balance',
    headers: limitHeaders(state),
    message: insufficientText(state),
  });

function insufficientText(state: LimitState): string {
  const { remainingUsd, neededUsd } = state;
  if (remainingUsd.startsWith('-')) return `${QUOTA}: the account balance is ${remainingUsd} USD. Top up to go on.`;
  return neededUsd
    ? `${needOf(state)}, and ${remainingUsd} USD of the balance are left. Top up${orSmaller(state)}.`
    : `${QUOTA}: the account balance is zero. Top up to go on.`;
}

export const keySpendLimitReached = (state: LimitState) =>
  new ApiError({
    status: 402,
    code: 'key_spend_limit_reached',
    headers: limitHeaders(state),
    message: state.neededUsd
      ? `${needOf(state)}, and ${state.remainingUsd} USD of this key's spend limit are left. ${orReset(state)}`
      : `${QUOTA}: this key has reached its spend limit. Raise the limit or wait for its reset.`,
  });

export const projectSpendLimitReached = (state: LimitState) =>
  new ApiError({
    status: 402,
    code: 'project_spend_limit_reached',
    headers: limitHeaders(state),
    message: state.neededUsd
      ? `${needOf(state)}, and ${state.remainingUsd} USD of the spend limit of this key's project are left. ${orReset(state)}`
      : `${QUOTA}: the project of this key has reached its spend limit. Raise the limit or wait for its reset.`,
  });

const LIMIT_NAMES = {
  balance: 'balance',
  key: 'spend limit of this key',
  project: 'spend limit of this key’s project',
};

/**
 * Running requests hold the money: a retry may succeed after they end. `freeUsd`: what is not held, when one of them runs with less than it
 * may cost, which only one of an account may.
 */
export const balanceHeld = (state: LimitState, freeUsd?: string) =>
  new ApiError({
    status: 429,
    code: 'balance_held',
    headers: { ...limitHeaders({ ...state, source: 'hold' }), ...retryIn(1000) },
    message:
      freeUsd === undefined
        ? `Running requests hold what is left of the ${LIMIT_NAMES[state.source]}. Try again when they have ended.`
        : 'Another request of this workspace runs with less money than it may cost, which only one may at a time. ' +
          `Try again when it has ended, or send a request that costs at most ${freeUsd} USD.`,
  });

/** The retry headers: the standard one in whole seconds, OpenAI's in milliseconds. */
export const retryIn = (waitMs: number) => ({
  'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
  'retry-after-ms': String(Math.max(1, Math.ceil(waitMs))),
});
