import { z } from 'zod';
import { KEY_HOURS } from '../../db/idempotency.ts';
import { IDEMPOTENCY_KEY_CHARACTERS, RUN_WAIT_SECONDS_MAX } from '../../base/limits.ts';

/** The headers that some routes read, as they are documented. What is sent in them is checked where it is read. */

const onceKey = z
  .string()
  .min(IDEMPOTENCY_KEY_CHARACTERS.min)
  .max(IDEMPOTENCY_KEY_CHARACTERS.max)
  .optional()
  .describe(
    `Carries the request out once, however often it is sent: for ${KEY_HOURS} hours the same key gets the same answer.`,
  );
const draftTag = z
  .string()
  .regex(/^"draft-[1-9]\d*"$/)
  .meta({ description: 'The `ETag` of the draft that was seen, in its double quotes.', examples: ['"draft-1"'] });
const directoryTag = z
  .string()
  .regex(/^"dir-\d+"$/)
  .optional()
  .describe('`"dir-<directory_generation>"`, in its double quotes: nothing happens when the files have changed since.');
const knownTag = z.string().optional().describe('The `ETag` of what is known already: when it is still that, 304.');

export const PARTIAL = z.object({
  'x-allow-partial': z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'With `true`, money for a part buys that part, and `x-truncated` marks it. Without it such a request is refused with 402.',
    ),
});
export const ONCE = z.object({ 'Idempotency-Key': onceKey });
export const ONCE_OR_WAIT = ONCE.extend({
  Prefer: z
    .string()
    .regex(/^wait=\d+$/)
    .optional()
    .describe(`\`wait=30\` waits until the run has ended or asks its caller, at most ${RUN_WAIT_SECONDS_MAX} seconds.`),
});
export const IF_DRAFT = z.object({ 'If-Match': draftTag });
export const ONCE_IF_DRAFT = ONCE.extend({ 'If-Match': draftTag });
export const ONCE_IF_STILL_DRAFT = ONCE.extend({ 'If-Match': draftTag.optional() });
export const IF_DIRECTORY = z.object({ 'If-Match': directoryTag });
export const ONCE_IF_DIRECTORY = ONCE.extend({ 'If-Match': directoryTag });
export const IF_CHANGED = z.object({ 'If-None-Match': knownTag });
export const PART_IF_CHANGED = IF_CHANGED.extend({
  Range: z.string().optional().describe('One range of bytes: `bytes=0-1023`.'),
  'If-Range': z.string().optional().describe('The `ETag` of the file of which the rest is wanted.'),
});
export const RESUME = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .describe('The id of the last event that was seen: the stream goes on after it.'),
});

/** What the headers of some good answers tell, as they are documented. */

export const ETAG = { etag: 'Names the thing as it is now.' };
export const LOCATION = { location: 'The path of what was made.' };
export const RUN = {
  ...LOCATION,
  'retry-after': 'With 202: when to look again, in whole seconds.',
  'preference-applied': 'The `Prefer` that was followed.',
};
export const TRANSCRIBED = {
  'request-id': 'The same as `x-request-id`, where ElevenLabs’ clients look for it.',
  'x-truncated': 'With `x-allow-partial: true`, when only a part could be paid: what was short, `balance` or `key`.',
};
export const SOUND = {
  ...TRANSCRIBED,
  'character-cost': 'How many characters were spoken, and billed.',
};
export const KEPT_SOUND = { ...SOUND, 'history-item-id': 'The sound’s item in the history.' };
export const CONVERTED = { ...TRANSCRIBED, 'history-item-id': 'The sound’s item in the history.' };
export const NAMED = { 'content-disposition': 'The name of the file.' };
export const CONTENT = {
  ...ETAG,
  ...NAMED,
  'accept-ranges': '`bytes`: parts of it can be asked for.',
  'content-range': 'With 206: which bytes these are, of how many.',
  'content-security-policy': 'Keeps a browser from running what is in the file.',
};
