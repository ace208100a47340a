import type { Key } from '../../db/keys/keys.ts';
import { TEST_REVIEWS, type TestReview } from '../../contracts/test.ts';
import { nowMsOf } from '../../calls/caller.ts';
import { testOf } from '../../calls/testMode.ts';
import type { TestCall } from '../../providers/provider.ts';
import { TEST_FAULT_METADATA, TEST_FAULTS, testFaultIn } from '../../providers/testFault.ts';
import type { Context } from '../context.ts';
import { conflict, invalidRequest } from '../../base/errors/requestErrors.ts';

const FAULT_HEADER = 'x-test-fault';
const REVIEW_HEADER = 'x-test-review';

/** What a request asks of upstreams in test mode. Throws 400 for a failure that there is not, and for any with a live key. */
export function askedTest({ req }: Context, { isTest, workspaceId }: Key): TestCall | undefined {
  const asked = req.headers[FAULT_HEADER];
  if (asked === undefined) return testOf(workspaceId);
  if (!isTest) throw invalidRequest('test_mode_only', `The header ${FAULT_HEADER} needs a test key.`, FAULT_HEADER);
  const fault = testFaultIn(String(asked));
  if (fault) return testOf(workspaceId, fault);
  const known = Object.keys(TEST_FAULTS).map((name) => (name.startsWith('slow_') ? `${name}=<milliseconds>` : name));
  const message = `The header ${FAULT_HEADER} is one of ${known.join(', ')}, each of them also with "; first".`;
  throw invalidRequest('invalid_value', message, FAULT_HEADER);
}

/**
 * The review outcome that a submission of a test workspace requests; null in a live workspace. Throws 400 for an unknown outcome, and with
 * a live key.
 */
export function askedReview({ req, state }: Context): TestReview | null {
  const { isTest } = state.key;
  const asked = req.headers[REVIEW_HEADER];
  if (asked === undefined) return isTest ? 'approve' : null;
  if (!isTest) throw invalidRequest('test_mode_only', `The header ${REVIEW_HEADER} needs a test key.`, REVIEW_HEADER);
  const found = TEST_REVIEWS.find((review) => review === asked);
  if (found) return found;
  throw invalidRequest(
    'invalid_value',
    `The header ${REVIEW_HEADER} is one of ${TEST_REVIEWS.join(', ')}.`,
    REVIEW_HEADER,
  );
}

/** Throws 409 `test_mode_only` for a key of a live workspace. */
export function requireTest({ state }: Context): void {
  if (state.key.isTest) return;
  throw conflict('test_mode_only', 'Only test workspaces have this. Use a test key, which begins with sk_test_.');
}

/** Throws 409 `live_mode_only` for a key of a test workspace. */
export function requireLive({ state }: Context): void {
  if (state.key.isTest) throw conflict('live_mode_only', 'Test workspaces do not have this. Use a live key.');
}

/** The month in the time of the request's workspace, `YYYY-MM` in UTC. */
export const monthOf = (ctx: Context): string => new Date(nowMsOf(ctx.state)).toISOString().slice(0, 7);

/** The metadata of a batch or run whose calls come later, with the failure that its request asks for. */
export const withTestFault = <Metadata extends Record<string, string> | null>(
  { req, state }: Context,
  metadata: Metadata,
): Metadata | Record<string, string> =>
  state.test?.fault ? { ...metadata, [TEST_FAULT_METADATA]: String(req.headers[FAULT_HEADER]) } : metadata;
