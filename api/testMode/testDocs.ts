import { z } from 'zod';
import type { RouteDoc } from '../docs/documentedRoute.ts';

const TAG = 'Test mode';

export const TestClockAnswer = z.object({
  object: z.literal('test_clock'),
  now: z.iso.datetime().describe('The time of the test workspace.'),
  ahead_seconds: z.int().describe('How far that is ahead of the real time.'),
});

const answer = { id: 'TestClock', schema: TestClockAnswer };

/** Documentation of test workspaces, from the schema that checks their input. */
export const testDocs = ({ clock }: { clock: z.ZodType }) =>
  ({
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
        'By `seconds`, or `to` a time; never back. The days and months of spend limits, the expiry of keys and the windows of batches follow ' +
        'it at once. Times of ledger entries and requests are the real ones.',
      input: { id: 'ClockBody', schema: clock, example: { seconds: 86_400 } },
      answer,
      errors: [409],
    },
  }) satisfies Record<string, RouteDoc>;
