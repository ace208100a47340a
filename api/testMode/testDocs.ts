import { z } from 'zod';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { ClockBody } from './testSchema.ts';

const TAG = 'Test mode';

export const TestClockAnswer = z.object({
  object: z.literal('test_clock'),
  status: z
    .enum(['ready', 'advancing'])
    .describe(
      '`advancing`: what is due until its target happens first, in its order. Read it again until it is `ready`.',
    ),
  now: z.iso.datetime().describe('The time of the test workspace.'),
  target: z.iso.datetime().describe('Where it is being moved to; the same as `now` when it is ready.'),
  ahead_seconds: z.int().describe('How far that is ahead of the real time.'),
});

const answer = { id: 'TestClock', schema: TestClockAnswer };

/** Documentation of test workspaces. */
export const testDocs = {
  retrieveClock: {
    tag: TAG,
    summary: 'Read the clock of the test workspace',
    answer,
    errors: [409],
  },
  moveClock: {
    tag: TAG,
    summary: 'Move the clock of the test workspace ahead',
    description:
      'By `seconds`, or `to` a time; never back. The days and months of spend limits, the expiry of keys, ' +
      'files, quotes and client secrets, the windows of ' +
      'batches, the waits of runs, the attempts of webhooks, schedules, the notice of more expensive versions and the ' +
      'steps of rollouts follow it. When nothing is due until then, the answer is `ready`. ' +
      'Otherwise it is `advancing`: the clock goes from one due time to the next, and waits at each until the runs and deliveries ' +
      'that it has woken are done. Answers, calls, runs, payments, ledger entries and events have its times, ' +
      'and statements, usage and the overview its ' +
      'months and days. The root of a day is signed once the real day is over.',
    input: { id: 'ClockBody', schema: ClockBody, example: { seconds: 86_400 } },
    answer,
    errors: [409],
  },
} satisfies Record<string, RouteDoc>;
