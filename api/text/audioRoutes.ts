import { audioDocs } from './audio/audioDocs.ts';
import { textBody } from '../guard/body.ts';
import type { Keyed } from '../guard/keyed.ts';
import { scope } from '../guard/scope.ts';
import { post } from '../http/route.ts';
import type { Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { createSpeech } from './audio/speech.ts';
import { createTranscription } from './audio/transcriptions.ts';
import { parseSpeech } from './schema/speech.ts';

/** The audio routes of the text family, at both of their addresses. */
export function audioRoutes(services: Services, keyed: Keyed): Route[] {
  const spoken = keyed(scope('voice'), textBody(parseSpeech));
  // An upload is counted before its body is read.
  const heard = keyed(scope('voice'));
  const about = audioDocs();
  return ['/textapi/v1', '/v1'].flatMap((prefix) => [
    post(`${prefix}/audio/speech`, spoken, createSpeech(services), about.speech),
    post(`${prefix}/audio/transcriptions`, heard, createTranscription(services, 'transcribe'), about.transcriptions),
    post(`${prefix}/audio/translations`, heard, createTranscription(services, 'translate'), about.translations),
  ]);
}
