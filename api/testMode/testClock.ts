import type { z } from 'zod';
import { advanceTestClock, readTestClock, type TestClock } from '../../db/testMode/testClock.ts';
import type { Handler } from '../context.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { requireTest } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import type { TestClockAnswer } from './testDocs.ts';
import type { ClockBody } from './testSchema.ts';

/** `GET /platform/v1/test_clock`. */
export function retrieveTestClock({ db }: Services): Handler {
  return async (ctx) => {
    requireTest(ctx);
    ctx.body = present(await readTestClock(db.pool, ctx.state.key.workspaceId));
  };
}

/** `POST /platform/v1/test_clock/advance`. Throws 422 for a time before the clock's, and for more than ten years in all. */
export function moveTestClock({ db, runStarter }: Services): Handler<z.output<typeof ClockBody>> {
  return async (ctx) => {
    requireTest(ctx);
    const { seconds, to } = ctx.state.input;
    const { workspaceId, accountId } = ctx.state.key;
    const by = to === undefined ? { seconds: seconds! } : { to: new Date(to) };
    const clock = await advanceTestClock(db.write(workspaceId), by);
    if (clock === 'backwards') throw validationErrorAt(['body', 'to'], 'A test clock only moves forward.');
    if (clock === 'too_far') throw validationErrorAt(['body', 'seconds'], 'A test clock is at most ten years ahead.');
    // The next call of this process counts towards the new day; other processes are notified.
    await db.ledger.freeSlices(accountId);
    if (clock.isAdvancing) runStarter.moveClock(workspaceId);
    ctx.body = present(clock);
  };
}

const present = (clock: TestClock): z.infer<typeof TestClockAnswer> => ({
  object: 'test_clock',
  status: clock.isAdvancing ? 'advancing' : 'ready',
  now: clock.now.toISOString(),
  target: clock.target.toISOString(),
  ahead_seconds: clock.aheadSeconds,
});
