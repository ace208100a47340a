import type { Unhonoured } from '../../providers/honours.ts';
import { validationError } from '../errors/requestErrors.ts';

// What engines call otherwise than ElevenLabs' callers.
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

/** Throws the 422 that names a parameter which no upstream of the model honours. */
export function refuseUnhonoured(unhonoured: Unhonoured<Record<string, unknown>> | undefined): void {
  if (!unhonoured) return;
  const { name, member } = unhonoured;
  const loc = [...(PLACES[name] ?? ['body', name]), ...(member === undefined ? [] : [member.slice(0, 100)])];
  const msg = 'This parameter, or its value, is not supported with this model. Leave it out.';
  throw validationError([{ loc, msg, type: 'value_error' }], 'unsupported_parameter');
}
