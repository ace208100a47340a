import { z } from 'zod';
import { DEFAULT_VOICE_FORMAT, VOICE_FORMATS } from '../../calls/audio/formats.ts';
import { OTHER_LANGUAGE, UNSPEAKABLE, type Unspeakable } from '../../providers/speech.ts';
import { isUnset, type VendorParameters, type UnsupportedParameter } from '../../providers/supportedParameters.ts';
import { queryFlag } from '../body/queryFlag.ts';
import { parseBody } from '../body/parseWith.ts';
import { validationError, validationErrorAt } from '../../base/errors/requestErrors.ts';

/** The longest text of one call. */
export const TEXT_CHARS_MAX = 40_000;

/** The query of all routes that answer with audio. */
export const SoundQuery = z.strictObject({
  output_format: z
    .enum([...VOICE_FORMATS.keys()] as [string, ...string[]])
    .default(DEFAULT_VOICE_FORMAT)
    .describe('Codec, sample rate, kilobits per second.'),
  enable_logging: queryFlag.prefault('true').describe('`false` keeps the speech out of the history.'),
  optimize_streaming_latency: z.coerce.number().int().min(0).max(4).optional(),
});

export const VoiceSettingsBody = z.looseObject({
  stability: z.number().min(0).max(1).nullish(),
  similarity_boost: z.number().min(0).max(1).nullish(),
  style: z.number().min(0).max(1).nullish(),
  use_speaker_boost: z.boolean().nullish(),
  speed: z.number().min(0.25).max(4).nullish(),
});

const modelId = z.string().min(1).max(256);
export const seed = z.int().min(0).max(4_294_967_295);
const normalization = z.enum(['auto', 'on', 'off']);

/** Body of the routes of `text-to-speech`. */
export const SpeechBody = z.looseObject({
  text: z
    .string()
    .min(1)
    .describe(
      `At most ${TEXT_CHARS_MAX} characters. The embedded voices refuse letters of other scripts ` +
        '(`unsupported_language`) and a text with nothing to speak (`invalid_value`).',
    ),
  model_id: modelId.optional().describe('Any id of the vendor’s models.'),
  language_code: z
    .string()
    .min(2)
    .max(16)
    .optional()
    .describe('The embedded voices support English only and refuse others.'),
  voice_settings: VoiceSettingsBody.optional(),
  seed: seed.optional(),
  previous_text: z.string().max(TEXT_CHARS_MAX).optional().describe('The embedded voices speak each text by itself.'),
  next_text: z.string().max(TEXT_CHARS_MAX).optional(),
  apply_text_normalization: normalization.optional(),
});

export type SpeechBody = z.output<typeof SpeechBody>;
export type SoundQuery = z.output<typeof SoundQuery>;

// Their ids belong to the platform's account at the upstream, not to callers.
const UNSUPPORTED = ['pronunciation_dictionary_locators', 'previous_request_ids', 'next_request_ids'];

/** Members or fields outside the schema, which only some upstreams support. */
export const othersIn = (sent: object, { shape }: z.ZodObject): VendorParameters => ({
  dialect: 'elevenlabs',
  members: Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(shape, name))),
});

const parseSpeechFields = parseBody(SpeechBody);

/** Checks a body of `text-to-speech`. Throws 422: `validation_error`, `text_too_long`, `unsupported_parameter`. */
export function parseSpeechBody(value: unknown): SpeechBody {
  const body = parseSpeechFields(value);
  refuseUnsupported(body, UNSUPPORTED);
  if (Array.from(body.text).length > TEXT_CHARS_MAX)
    throw refused('text', `The text has more than ${TEXT_CHARS_MAX} characters.`, 'text_too_long');
  return body;
}

/** A 422 about one member of a body or form. */
export const refused = (name: string, msg: string, code = 'validation_error', type = 'value_error') =>
  validationError([{ loc: ['body', name], msg, type }], code);

/** Refuses unsupported parameters whose value would change the answer. */
export function refuseUnsupported(sent: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    if (isUnset(sent[name])) continue;
    throw refused(name, 'This parameter is not supported. Leave it out.', 'unsupported_parameter');
  }
}

// Parameters whose names differ between engines and ElevenLabs' clients.
const PLACES: Record<string, string[]> = {
  language: ['body', 'language_code'],
  speed: ['body', 'voice_settings', 'speed'],
  settings: ['body', 'voice_settings'],
  previousText: ['body', 'previous_text'],
  nextText: ['body', 'next_text'],
  textNormalization: ['body', 'apply_text_normalization'],
  latency: ['query', 'optimize_streaming_latency'],
  audioEvents: ['body', 'tag_audio_events'],
  times: ['body', 'timestamps_granularity'],
  others: ['body'],
};

/** Throws the 422 that names a parameter or the text, if no upstream of the model supports it. `sentIn` is where most parameters are sent. */
export function refuseUnsupportedParameter(
  unsupported: UnsupportedParameter<Record<string, unknown>> | undefined,
  sentIn: 'body' | 'query' = 'body',
): void {
  if (!unsupported) return;
  const { name, member } = unsupported;
  if (name === 'text') throw refused('text', UNSPEAKABLE[member as Unspeakable], member);
  const [place, ...path] = PLACES[name] ?? ['body', name];
  const loc = [place === 'body' ? sentIn : place!, ...path, ...(member === undefined ? [] : [member.slice(0, 100)])];
  const msg =
    name === 'language'
      ? `This model does not take this language. ${OTHER_LANGUAGE}`
      : 'This parameter, or its value, is not supported with this model. Leave it out.';
  throw validationErrorAt(loc, msg, 'unsupported_parameter');
}
