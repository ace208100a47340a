import type { RouteDoc } from '../../http/documentedRoute.ts';
import * as headers from '../../http/documentedHeaders.ts';
import { SOUND_SECONDS_MAX } from '../../../calls/sound/decodedSound.ts';
import { SOUND_BYTES_MAX } from '../../sound/soundForm.ts';
import { TranscriptionEvent, Transcription } from './presentTranscript.ts';
import { SpeechInput, SpeechEvent } from './speech.ts';
import { TranscriptionForm, TranslationForm } from './transcriptionForm.ts';

const TEXTS = ['text/plain', 'text/vtt'];

/** Documentation of the audio routes of the text family. */
export function audioDocs() {
  return {
    speech: {
      tag: 'Audio',
      summary: 'Speak a text',
      description:
        'Sends sound while it is made; with `stream_format: "sse"` as events `speech.audio.delta` and `speech.audio.done`. Billed by the ' +
        'characters of the text. When the balance does not cover the text: 402; with `x-allow-partial: true` the beginning is spoken, ' +
        '`x-truncated` is set, and `character-cost` is the number of spoken characters.',
      input: {
        id: 'SpeechRequest',
        schema: SpeechInput,
        example: { model: 'tts-1', voice: 'alloy', input: 'The quick brown fox jumped over the lazy dog.' },
      },
      headers: headers.PARTIAL,
      answerHeaders: headers.SOUND,
      stream: {
        when: 'The sound; with `stream_format: "sse"`, server-sent events.',
        event: { id: 'SpeechEvent', schema: SpeechEvent },
      },
      isPaid: true,
    },
    transcriptions: {
      tag: 'Audio',
      summary: 'Transcribe sound',
      description:
        `Up to ${SOUND_BYTES_MAX / 1e6} MB and ${SOUND_SECONDS_MAX / 3600} hours, of any common type, which is detected from the content. Billed by the decoded duration, to the ` +
        'millisecond. The formats `text`, `srt` and `vtt` answer with text. A form without a file, or with a missing or wrong field, is 422.',
      form: {
        id: 'TranscriptionForm',
        schema: TranscriptionForm,
        example: { model: 'whisper-1', file: '@speech.mp3' },
      },
      answer: { id: 'Transcription', schema: Transcription },
      alsoAs: TEXTS,
      headers: headers.PARTIAL,
      answerHeaders: headers.TRANSCRIBED,
      stream: {
        when: 'The transcription; with `stream: true`, server-sent events.',
        event: { id: 'TranscriptionEvent', schema: TranscriptionEvent },
      },
      isPaid: true,
    },
    translations: {
      tag: 'Audio',
      summary: 'Transcribe sound in English',
      description:
        'Like a transcription; speech in another language is translated into English where the model supports it.',
      form: { id: 'TranslationForm', schema: TranslationForm, example: { model: 'whisper-1', file: '@speech.mp3' } },
      answer: { id: 'Transcription', schema: Transcription },
      alsoAs: TEXTS,
      headers: headers.PARTIAL,
      answerHeaders: headers.TRANSCRIBED,
      isPaid: true,
    },
  } satisfies Record<string, RouteDoc>;
}
