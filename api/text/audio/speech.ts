import { TEXT_FORMATS } from '../../../audio/formats.ts';
import type { SpeechParameters } from '../../../providers/speech.ts';
import { presetVoices } from '../../../providers/voices.ts';
import type { Context, Handler } from '../../context.ts';
import type { Services } from '../../services.ts';
import { findCallerVoice, type CallerVoice } from '../../sound/callerVoice.ts';
import { voiceSettingsOf } from '../../sound/voiceSettings.ts';
import { resolveSpeechModel } from '../../sound/resolveVoiceModel.ts';
import { soundAlone } from '../../sound/soundSink.ts';
import { runSpeechCall } from '../../sound/speechCall.ts';
import { invalidValue } from '../schema/refusal.ts';
import type { ParsedSpeech } from '../schema/speech.ts';
import { refuseUnhonoured } from './refuseUnhonoured.ts';
import { soundInEvents } from './soundInEvents.ts';

/** `POST /audio/speech`: a text as audio, streamed as bytes or, with `stream_format: "sse"`, in events. */
export function createSpeech(services: Services): Handler {
  return async (ctx) => {
    const input = ctx.state.input as ParsedSpeech;
    const voice = await findVoice(ctx, services, input.voice);
    const model = resolveSpeechModel(ctx, services, { name: input.model, voice });
    const format = TEXT_FORMATS.get(input.response_format ?? 'mp3')!;
    const {
      model: _model,
      voice: _voice,
      input: text,
      response_format: _format,
      stream_format: _stream,
      ...said
    } = input;
    const { speed, instructions, ...members } = said;
    const manner: SpeechParameters = {
      ...voiceSettingsOf(voice, { speed }),
      instructions: instructions || undefined,
      others: { dialect: 'openai', members },
    };
    refuseUnhonoured(services.voiceProviders.speech(model).unhonoured({ ...manner, voice: voice.voice }));
    const order = {
      model,
      voice,
      text,
      format,
      // An upstream that has OpenAI's formats too sends the audio in its final form.
      manner: { ...manner, codec: format.codec },
      keptAs: null,
    };
    const sink = input.stream_format === 'sse' ? soundInEvents() : soundAlone(format.mediaType);
    await runSpeechCall(ctx, services, { order, sink });
  };
}

async function findVoice(ctx: Context, services: Services, sent: ParsedSpeech['voice']): Promise<CallerVoice> {
  const id = typeof sent === 'string' ? sent : sent.id;
  const voice = await findCallerVoice(services, ctx.state.key.workspaceId, id);
  if (voice) return voice;
  const names = presetVoices.map((preset) => `'${preset.id}'`).join(', ');
  throw invalidValue('voice', `Invalid value: '${id.slice(0, 100)}'. Supported values are: ${names}.`);
}
