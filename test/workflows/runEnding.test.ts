import { expect, test } from '@jest/globals';
import { ActivityFailure, TimeoutFailure } from '@temporalio/common';
import { runEndingOf } from '../../workflows/run/runEnding.ts';

const timedOut = (kind: 'SCHEDULE_TO_START' | 'SCHEDULE_TO_CLOSE' | 'HEARTBEAT') =>
  new ActivityFailure(undefined, 'toolStep', '1', 'TIMEOUT', undefined, new TimeoutFailure(undefined, undefined, kind));

// A step that no worker has begun, one that did not end, and one whose worker is lost.
test.each(['SCHEDULE_TO_START', 'SCHEDULE_TO_CLOSE', 'HEARTBEAT'] as const)(
  'a step that ends by %s after the deadline of its run ran out of time',
  (kind) => {
    expect(runEndingOf(timedOut(kind), Date.now())).toEqual({ status: 'limit_reached', limit: 'timeout' });
    const early = runEndingOf(timedOut(kind), Date.now() + 3_600_000);
    expect(early).toMatchObject({ status: 'failed', fault: 'platform', code: 'internal_error' });
  },
);
