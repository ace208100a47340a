import { audioDocs } from '../docs/audioDocs.ts';
import { body } from '../guard/body.ts';
import { scope } from '../guard/scope.ts';
import type { Guard } from '../context.ts';
import { post } from '../route.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';
import { createSpeech } from './audio/speech.ts';
import { createTranscription } from './audio/transcriptions.ts';
import { parseSpeech } from './schema/speech.ts';

interface Shared {
  keyed: Guard;
  limited: Guard;
}

/** The sound of the text family, at both of its addresses. */
export function audioRoutes(services: Services, { keyed, limited }: Shared): Route[] {
  const voice = [keyed, scope('voice')];
  // An upload is counted before its body is read.
  const heard = [...voice, limited];
  const about = audioDocs();
  return ['/textapi/v1', '/v1'].flatMap((prefix) => [
    post(`${prefix}/audio/speech`, [...voice, body(parseSpeech), limited], createSpeech(services), about.speech),
    post(`${prefix}/audio/transcriptions`, heard, createTranscription(services, 'transcribe'), about.transcriptions),
    post(`${prefix}/audio/translations`, heard, createTranscription(services, 'translate'), about.translations),
  ]);
}
