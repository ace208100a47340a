import { z } from 'zod';
import type { Context } from '../context.ts';
import { queryFlag } from '../body/queryFlag.ts';
import { parseQuery } from '../body/parseWith.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { SoundQuery, SpeechBody } from '../voice/voiceSchema.ts';

const isAsked = queryFlag.prefault('false');
const { model_id, language_code, apply_text_normalization, seed } = SpeechBody.shape;

/** The query of the speech-input sockets. */
export const SpeechInputQuery = SoundQuery.extend({
  model_id,
  language_code,
  apply_text_normalization,
  seed: z.coerce.number().pipe(seed.unwrap()).optional(),
  inactivity_timeout: z.coerce.number().min(1).max(180).default(20).describe('Seconds without a frame.'),
  apply_language_text_normalization: z.enum(['false']).optional().describe('Only `false`.'),
  auto_mode: isAsked.describe('`true` speaks each sentence as soon as it is whole, without a schedule.'),
  sync_alignment: isAsked.describe(
    '`true` sends with each frame of sound its own characters, with times from the start of the speech.',
  ),
  enable_ssml_parsing: isAsked.describe('Only `false`: the text is spoken as it is.'),
});

export type SpeechInputQuery = z.output<typeof SpeechInputQuery>;

const parse = parseQuery(SpeechInputQuery);

/** Checks the query of a socket. Throws 422 that names the parameter. */
export function parseSpeechInputQuery(sent: Context['query']): SpeechInputQuery {
  const query = parse(sent);
  if (!query.enable_ssml_parsing) return query;
  const msg = 'SSML is not supported. Leave it out, and send plain text.';
  throw validationErrorAt(['query', 'enable_ssml_parsing'], msg, 'unsupported_parameter');
}
