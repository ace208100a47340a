import { z } from 'zod';
import { KEY_HOURS } from '../../db/answers/idempotency.ts';
import { TEST_REVIEWS } from '../../contracts/test.ts';
import { IGNORABLE, IGNORED_HEADER } from '../body/ignoredParameters.ts';
import { IDEMPOTENCY_KEY_CHARACTERS, RUN_WAIT_SECONDS_MAX } from '../../base/limits.ts';

/** Documentation of request headers that some routes read. Their values are checked where they are read. */

const onceKey = z
  .string()
  .min(IDEMPOTENCY_KEY_CHARACTERS.min)
  .max(IDEMPOTENCY_KEY_CHARACTERS.max)
  .optional()
  .describe(`Carries out the request once: for ${KEY_HOURS} hours a retry with the same key gets the same answer.`);
const draftTag = z
  .string()
  .regex(/^"draft-[1-9]\d*"$/)
  .meta({ description: 'The `ETag` of the draft, in its double quotes.', examples: ['"draft-1"'] });
const directoryTag = z
  .string()
  .regex(/^"dir-\d+"$/)
  .optional()
  .describe('`"dir-<directory_generation>"`, in its double quotes: 412 when the files have changed since.');
const stateTag = z
  .string()
  .regex(/^"state-\d+"$/)
  .optional()
  .describe('`"state-<version>"`, in its double quotes: 412 when the state has changed since.');
const knownTag = z.string().optional().describe('The `ETag` of the known state: 304 when it is unchanged.');

export const PARTIAL = z.object({
  'x-allow-partial': z
    .enum(['true', 'false'])
    .optional()
    .describe(
      '`true`: when the balance covers only a part, that part is answered, and `x-truncated` is set. Without it: 402.',
    ),
});
export const IGNORED = z.object({
  [IGNORED_HEADER]: z
    .string()
    .optional()
    .describe(
      `For clients that always send a parameter that is refused: those named here, separated by commas, are left out instead. May name ${IGNORABLE.map((one) => `\`${one}\``).join(', ')}, without which an answer is the same.`,
    ),
});
export const ONCE = z.object({ 'Idempotency-Key': onceKey });
export const ONCE_OR_WAIT = ONCE.extend({
  Prefer: z
    .string()
    .regex(/^wait=\d+$/)
    .optional()
    .describe(`\`wait=30\` waits until the run has ended or requires action, at most ${RUN_WAIT_SECONDS_MAX} seconds.`),
});
export const WAIT = ONCE_OR_WAIT.pick({ Prefer: true });
export const IF_DRAFT = z.object({ 'If-Match': draftTag });
const ONCE_IF_DRAFT = ONCE.extend({ 'If-Match': draftTag });
export const SUBMISSION = ONCE_IF_DRAFT.extend({
  'x-test-review': z
    .enum(TEST_REVIEWS)
    .optional()
    .describe(
      'With a test key, the outcome of the review, which no operator decides. `approve` without it; `changes` ' +
        'requests changes; `wait` leaves it in review until `test_review` ends it.',
    ),
});
export const ONCE_IF_STILL_DRAFT = ONCE.extend({ 'If-Match': draftTag.optional() });
export const IF_DIRECTORY = z.object({ 'If-Match': directoryTag });
export const ONCE_IF_DIRECTORY = ONCE.extend({ 'If-Match': directoryTag });
export const IF_STATE = z.object({ 'If-Match': stateTag });
export const IF_CHANGED = z.object({ 'If-None-Match': knownTag });
export const PART_IF_CHANGED = IF_CHANGED.extend({
  Range: z.string().optional().describe('One range of bytes: `bytes=0-1023`.'),
  'If-Range': z.string().optional().describe('The `ETag` of the file whose rest is requested.'),
});
export const RESUME = z.object({
  'Last-Event-ID': z.string().optional().describe('The id of the last received event: the stream continues after it.'),
});

/** Documentation of headers in some successful answers. */

export const ETAG = { etag: 'Identifies the current state of the resource.' };
export const LOCATION = { location: 'The path of the created resource.' };
export const DEPRECATED = {
  deprecation: 'Of a deprecated agent: since when, as `@` and Unix seconds.',
  sunset: 'Of a deprecated agent: when it stops taking orders.',
  link: 'Of a deprecated agent: what replaces it, as `rel="successor-version"`.',
};
export const RUN = {
  ...LOCATION,
  ...DEPRECATED,
  'retry-after': 'With 202: when to poll again, in whole seconds.',
  'preference-applied': 'The `Prefer` that was followed.',
};
export const TRANSCRIBED = {
  'request-id': 'The same as `x-request-id`, for ElevenLabs’ clients.',
  'x-truncated':
    'With `x-allow-partial: true`, when only a part was paid: the limit that was reached, `balance` or `key`.',
};
export const SOUND = {
  ...TRANSCRIBED,
  'character-cost': 'Number of spoken and billed characters.',
};
export const KEPT_SOUND = { ...SOUND, 'history-item-id': 'The sound’s item in the history.' };
export const CONVERTED = { ...TRANSCRIBED, 'history-item-id': 'The sound’s item in the history.' };
export const NAMED = { 'content-disposition': 'The name of the file.' };
export const CONTENT = {
  ...ETAG,
  ...NAMED,
  'accept-ranges': '`bytes`: range requests are supported.',
  'content-range': 'With 206: the range of the bytes, and the size of the file.',
  'content-security-policy': 'Prevents a browser from running the file.',
};
