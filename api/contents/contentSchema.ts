import { z } from 'zod';
import { CONTENT_CHARS_MAX } from '../../db/contents/boundedContent.ts';
import { ENDINGS } from './recordContent.ts';
import { KIB } from '../../base/limits.ts';

export const RequestContent = z.object({
  id: z.string().describe('The id of the request.'),
  object: z.literal('request.content'),
  ended: z
    .enum(ENDINGS)
    .describe(
      '`client_left`: the answer is what was produced until then. `failed`: it is null, or what was sent before.',
    ),
  request: z
    .unknown()
    .describe('The body as it was sent. Images, sounds, files and vectors are replaced by their type and size.'),
  answer: z.unknown().describe('The answer as it was sent, of a stream the joined one; null: there is none.'),
  is_truncated: z
    .boolean()
    .describe(`Texts were cut: of the request and of the answer ${CONTENT_CHARS_MAX / KIB} KiB each are kept.`),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().describe('When it is deleted.'),
});

export const DeletedContent = z.object({
  id: z.string(),
  object: z.literal('request.content'),
  deleted: z.literal(true),
});

export const DeletedContents = z.object({
  id: z.string().describe('The id of the key.'),
  object: z.literal('api_key.contents'),
  deleted: z.int().describe('How many contents were deleted.'),
});
