import { VOICE_FORMATS, type AudioFormat } from '../../audio/formats.ts';
import type { Context, Handler } from '../context.ts';
import { voiceNotFound } from './presentVoice.ts';
import type { Services } from '../services.ts';
import { findCallerVoice, type CallerVoice } from '../sound/callerVoice.ts';
import { resolveSpeechModel } from '../sound/resolveVoiceModel.ts';
import type { SpeechParameters } from '../../providers/speech.ts';
import { refuseUnhonoured } from './refuseUnhonoured.ts';
import { othersIn, SpeechBody, type SoundQuery } from './schema.ts';
import { soundAlone, type SoundSink } from '../sound/soundSink.ts';
import { runSpeechCall } from '../sound/speechCall.ts';
import { soundInLines, soundWithTimes } from './timedSound.ts';
import { voiceSettingsOf } from '../sound/voiceSettings.ts';

/** In which form speech is answered. */
type Form = 'sound' | 'json' | 'lines';

/** `POST /v1/text-to-speech/{voice_id}` and its three other forms. All of them answer while they speak. */
export function createVoiceSpeech(services: Services, form: Form): Handler {
  return async (ctx) => {
    const { query, ...body } = ctx.state.input as SpeechBody & { query: SoundQuery };
    const voice = await voiceOfPath(ctx, services);
    const model = resolveSpeechModel(ctx, services, { name: body.model_id, voice, param: 'model_id' });
    const format = VOICE_FORMATS.get(query.output_format)!;
    const said: SpeechParameters = {
      ...voiceSettingsOf(voice, body.voice_settings),
      language: body.language_code,
      seed: body.seed,
      previousText: body.previous_text || undefined,
      nextText: body.next_text || undefined,
      textNormalization: body.apply_text_normalization,
      latency: query.optimize_streaming_latency,
      others: othersIn(body, SpeechBody),
    };
    refuseUnhonoured(services.voiceProviders.speech(model).unhonoured({ ...said, voice: voice.voice }));
    const manner = { ...said, marks: form !== 'sound' };
    const keptAs = query.enable_logging === 'true' ? query.output_format : null;
    const order = { model, voice, text: body.text, format, manner, keptAs };
    await runSpeechCall(ctx, services, { order, sink: sinkOf(form, format) });
  };
}

function sinkOf(form: Form, { mediaType }: AudioFormat): SoundSink {
  switch (form) {
    case 'sound':
      return soundAlone(mediaType);
    case 'json':
      return soundWithTimes();
    case 'lines':
      return soundInLines();
    default:
      return form satisfies never;
  }
}

/** The voice that the path names. Throws 404 `voice_not_found`. */
export async function voiceOfPath(ctx: Context, services: Services): Promise<CallerVoice> {
  const id = ctx.state.params.voice_id!;
  const voice = await findCallerVoice(services, ctx.state.key.workspaceId, id);
  if (!voice) throw voiceNotFound(id);
  return voice;
}
