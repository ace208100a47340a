import { z } from 'zod';
import type { Json } from '../../../providers/provider.ts';
import { numberIn } from '../../body/sentQuery.ts';
import { booleanIn, soundOf, type SoundForm } from '../../sound/soundForm.ts';
import * as parameter from '../../../calls/text/parameters/parameters.ts';
import { InvalidRequest, invalidValue } from '../../../base/errors/invalidRequest.ts';
import { validationError } from '../../../base/errors/requestErrors.ts';
import { bodyValidator } from '../../../calls/text/parameters/validateBody.ts';

const TRANSCRIPTION_FORMATS = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const;
const GRANULARITIES = 'timestamp_granularities[]';

/** The form fields of `POST /audio/transcriptions` and `/audio/translations`, without the file. */
const Fields = z.looseObject({
  model: parameter.model,
  language: z
    .string()
    .min(2)
    .max(16)
    .optional()
    .describe('ISO 639-1 code. The embedded recogniser supports English only and refuses others.'),
  prompt: z
    .string()
    .max(10_000)
    .optional()
    .describe(
      'What was said before, or words that may be said. Of the embedded recognisers, Whisper takes it; where the model’s `engine` is another, it is refused.',
    ),
  response_format: z.enum(TRANSCRIPTION_FORMATS).optional(),
  temperature: z.number().min(0).max(1).optional().describe('The embedded recogniser supports 0 only.'),
  [GRANULARITIES]: z
    .array(z.enum(['word', 'segment']))
    .optional()
    .describe('Requires `verbose_json`.'),
  'include[]': z
    .array(z.enum(['logprobs']))
    .optional()
    .describe('Requires `json`, or `stream`.'),
  chunking_strategy: z.string().max(100).optional().describe('`auto` lets the model choose.'),
  stream: z.boolean().optional().describe('Answers with events `transcript.text.delta` and `transcript.text.done`.'),
});

/** The form as documented. */
export const TranscriptionForm = Fields.extend({ file: z.file() });
/** The fields that a translation accepts. */
export const TranslationForm = TranscriptionForm.omit({
  [GRANULARITIES]: true,
  'include[]': true,
  stream: true,
  language: true,
});

export const TRANSCRIPTION_LISTS = [GRANULARITIES, 'include[]', 'keywords[]', 'languages[]'] as const;

export type ParsedTranscription = z.output<typeof Fields>;

// Speakers are not identified.
const validate = bodyValidator(
  Fields,
  ['known_speaker_names[]', 'known_speaker_references[]', 'diarize', 'num_speakers'],
  { switches: ['diarize'] },
);

/** Fields that only some upstreams support. */
export const otherFields = (input: ParsedTranscription): Json =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(Fields.shape, name)));

/**
 * Checks a form. Throws `InvalidRequest` (400) for an unsupported parameter or `response_format`, and 422 for whatever else the form lacks
 * or does not allow.
 */
export function parseTranscription(form: SoundForm): ParsedTranscription {
  soundOf(form, 'file');
  const input = fieldsIn(form);
  if (input[GRANULARITIES] !== undefined && input.response_format !== 'verbose_json')
    throw invalidField(GRANULARITIES, "'timestamp_granularities[]' needs the response_format 'verbose_json'.");
  if (input['include[]'] !== undefined && !input.stream && (input.response_format ?? 'json') !== 'json')
    throw invalidField('include[]', "'include[]' needs the response_format 'json', or 'stream'.");
  if (input.stream && ['srt', 'vtt', 'verbose_json'].includes(input.response_format ?? 'json'))
    throw invalidValue('response_format', "With 'stream' the response_format is 'json' or 'text'.");
  return input;
}

function fieldsIn({ fields, lists }: SoundForm): ParsedTranscription {
  const sent = {
    ...fields,
    temperature: numberIn(fields.temperature),
    stream: booleanIn(fields.stream),
    ...(fields.diarize !== undefined && { diarize: booleanIn(fields.diarize) }),
    ...Object.fromEntries(Object.entries(lists).filter(([, values]) => values.length > 0)),
  };
  try {
    return validate(sent);
  } catch (error) {
    if (!(error instanceof InvalidRequest) || isBadRequest(error)) throw error;
    throw invalidField(error.param, error.message, error.code);
  }
}

const invalidField = (param: string | null, msg: string, type = 'invalid_value') =>
  validationError([{ loc: param === null ? ['body'] : ['body', param], msg, type }]);

const isBadRequest = ({ code, param }: InvalidRequest): boolean =>
  code === 'unsupported_parameter' || param === 'response_format';
