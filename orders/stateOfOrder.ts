import { z } from 'zod';
import { STATE_BYTES_MAX, sizeOf } from '../db/sessions/sessionState.ts';
import { record } from '../base/record.ts';

const USER_CHARACTERS_MAX = 512;

/** The end user of the caller, whose memories an agent with memory reads and writes. */
export const user = z
  .string()
  .trim()
  .min(1)
  .max(USER_CHARACTERS_MAX)
  .describe('Your end user, by an id of your own: an agent with memory remembers for this user, across sessions.');

/** The state of a session. */
export const state = record(z.string(), z.unknown())
  .refine((value) => sizeOf(value) <= STATE_BYTES_MAX, `A state has at most ${STATE_BYTES_MAX} bytes as JSON.`)
  .describe('The state of the new session, as a JSON object.');
