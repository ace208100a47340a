import { SpeechInput } from '../text/schema/speech.ts';
import type { DocumentedError, RouteDoc } from './documentedRoute.ts';

const SPEAKING_ERRORS: readonly DocumentedError[] = [400, 402, 403, 404, 413, 415, 502, 504];

/** What callers are told about the sound of the text family. */
export function audioDocs() {
  return {
    speech: {
      tag: 'Audio',
      summary: 'Speak a text',
      description:
        'Sound as it is made; with `stream_format: "sse"` in events `speech.audio.delta` and `speech.audio.done`. Billed by the characters ' +
        'of the text. When the money left pays for a part of the text, that part is spoken: `character-cost` tells how many characters.',
      input: {
        id: 'SpeechRequest',
        schema: SpeechInput,
        example: { model: 'tts-1', voice: 'alloy', input: 'The quick brown fox jumped over the lazy dog.' },
      },
      errors: SPEAKING_ERRORS,
    },
  } satisfies Record<string, RouteDoc>;
}
