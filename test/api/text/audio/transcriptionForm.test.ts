import { expect, test } from '@jest/globals';
import { parseTranscription } from '../../../../api/text/audio/transcriptionForm.ts';
import type { SoundForm } from '../../../../api/sound/soundForm.ts';

const formOf = (fields: Record<string, string>): SoundForm => ({
  fields: { model: 'whisper-1', ...fields },
  lists: {},
  files: [{ field: 'file' } as SoundForm['files'][number]],
  drop: async () => {},
});

test.each(['srt', 'vtt', 'verbose_json'])('refuses a streamed transcription as %s, with the reason', (format) => {
  const parse = () => parseTranscription(formOf({ stream: 'true', response_format: format }));
  expect(parse).toThrow(expect.objectContaining({ code: 'invalid_value', param: 'response_format' }));
  expect(parseTranscription(formOf({ response_format: format }))).toMatchObject({ response_format: format });
});

test('refuses diarization parameters by name', () => {
  expect(() => parseTranscription(formOf({ 'known_speaker_names[]': 'Ann' }))).toThrow(
    expect.objectContaining({ code: 'unsupported_parameter', param: 'known_speaker_names[]' }),
  );
});
