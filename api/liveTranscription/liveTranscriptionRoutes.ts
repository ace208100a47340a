import { refuseUnfunded } from '../../calls/funds.ts';
import { resolveVoiceModel } from '../../calls/sound/callerVoice.ts';
import type { TranscriptionOrder } from '../../calls/sound/transcribe.ts';
import { handlerReadsQuery, type Context, type Handler } from '../context.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { acceptSocket } from '../sockets/upgrade.ts';
import { refuseUnsupportedParameter } from '../voice/voiceSchema.ts';
import { parseLiveTranscriptionQuery, type LiveTranscriptionQuery } from './query.ts';
import { LiveTranscription } from './session.ts';

/** The socket that writes down speech while it is spoken, compatible with ElevenLabs' Scribe Realtime. */
export function liveTranscriptionRoutes(services: Services, keyed: Keyed): Route[] {
  const guards = [...keyed(scope('voice')), handlerReadsQuery];
  return [get('/voiceapi/v1/speech-to-text/realtime', guards, openLiveTranscription(services))];
}

function openLiveTranscription(services: Services): Handler {
  return async (ctx) => {
    const query = parseLiveTranscriptionQuery(ctx.query);
    const order = orderOf(ctx, services, query);
    await refuseUnfunded(ctx.state, services);
    const accepted = await acceptSocket(ctx);
    await new LiveTranscription({ ctx, services, query, order }, accepted).run();
  };
}

function orderOf(ctx: Context, services: Services, query: LiveTranscriptionQuery): TranscriptionOrder {
  const named = { name: query.model_id, kind: 'transcription', param: 'model_id' } as const;
  const model = resolveVoiceModel(ctx.state, services, named);
  const options = {
    language: query.language_code,
    audioEvents: false,
    isLive: true,
    times: query.include_timestamps ? ('words' as const) : undefined,
    others: { dialect: 'elevenlabs' as const, members: {} },
  };
  refuseUnsupportedParameter(services.voiceProviders.transcription(model).unsupported(options), 'query');
  return { model, options };
}
