import { textBody } from '../../body/body.ts';
import { type Keyed, scope } from '../../guard/key.ts';
import { post, type Route } from '../../http/router.ts';
import { retryable } from '../../replay/retryable.ts';
import type { Services } from '../../services.ts';
import { audioDocs } from './audioDocs.ts';
import { createSpeech, parseSpeech } from './speech.ts';
import { createTranscription } from './transcriptions.ts';

/** OpenAI's routes of sound, at one of their two addresses. */
export function audioRoutes(prefix: string, services: Services, keyed: Keyed): Route[] {
  const speech = keyed(scope('voice'), textBody(parseSpeech));
  const speak = retryable(services, createSpeech(services), 'bytes');
  // An upload is counted before its body is read.
  const upload = keyed(scope('voice'));
  const about = audioDocs();
  return [
    post(`${prefix}/audio/speech`, speech, speak, about.speech),
    post(`${prefix}/audio/transcriptions`, upload, createTranscription(services, 'transcribe'), about.transcriptions),
    post(`${prefix}/audio/translations`, upload, createTranscription(services, 'translate'), about.translations),
  ];
}
