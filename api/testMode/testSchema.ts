import { z } from 'zod';

const SECONDS_MAX = 31_622_400;

/** How far the clock is moved: by seconds, or to a time. */
export const ClockBody = z
  .strictObject({
    seconds: z.int().min(1).max(SECONDS_MAX).optional().describe('By so many seconds: at most 366 days.'),
    to: z.iso.datetime({ offset: true }).optional().describe('To this time, which is not before the clock’s.'),
  })
  .refine(({ seconds, to }) => (seconds === undefined) !== (to === undefined), 'Send either seconds or to.');
