import { type Keyed, scope } from '../guard/key.ts';
import { handlerReadsQuery } from '../context.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { MULTI, SINGLE } from './dialect.ts';
import { answerSpeechInput, ifKeyed } from './speechInput.ts';

/** Sockets that speak text as it arrives. Their key may come in their first frame. */
export function speechInputRoutes(services: Services, keyed: Keyed): Route[] {
  const free = keyed(scope('voice'));
  const guards = [ifKeyed(free), handlerReadsQuery];
  const speech = '/voiceapi/v1/text-to-speech/:voice_id';
  return [
    get(`${speech}/stream-input`, guards, answerSpeechInput(services, free, SINGLE)),
    get(`${speech}/multi-stream-input`, guards, answerSpeechInput(services, free, MULTI)),
  ];
}
