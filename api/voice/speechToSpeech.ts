import { durationMsOf, VOICE_FORMATS, type AudioFormat } from '../../audio/formats.ts';
import { newId } from '../../db/ids.ts';
import type { Model } from '../../db/catalog.ts';
import type { ConversionParameters, SpeechChunk } from '../../providers/speech.ts';
import type { Context, Handler } from '../context.ts';
import type { CallerVoice } from '../sound/callerVoice.ts';
import { refuseUnhonoured } from './refuseUnhonoured.ts';
import { otherConversionFields, parseConversionForm } from './conversionForm.ts';
import type { Services } from '../services.ts';
import { runAudioCall, type AudioCall } from '../sound/audioCall.ts';
import { openHistory } from '../sound/keepSpeech.ts';
import { resolveVoiceModel } from '../sound/resolveVoiceModel.ts';
import type { SoundQuery } from './schema.ts';
import { readSoundForm } from '../sound/soundForm.ts';
import { send } from '../sound/soundSink.ts';
import { soundIn, started } from '../sound/started.ts';
import { voiceOfPath } from './textToSpeech.ts';
import { voiceSettingsOf } from '../sound/voiceSettings.ts';

/** `POST /v1/speech-to-speech/{voice_id}` and `/stream`: speech in another voice. Billed by its decoded seconds. */
export function createConversion(services: Services): Handler {
  return async (ctx) => {
    const { query } = ctx.state.input as { query: SoundQuery };
    const voice = await voiceOfPath(ctx, services);
    const form = await readSoundForm(ctx, services);
    try {
      const input = parseConversionForm(form);
      const model = resolveVoiceModel(ctx, services, { name: input.model_id, kind: 'conversion', param: 'model_id' });
      const format = VOICE_FORMATS.get(query.output_format)!;
      const said: ConversionParameters = {
        seed: input.seed,
        settings: voiceSettingsOf(voice, input.voice_settings).settings,
        // A voice's own speed is one of its speaking; what is converted keeps its pace unless the request says otherwise.
        speed: input.voice_settings?.speed ?? undefined,
        latency: query.optimize_streaming_latency,
        others: otherConversionFields(input),
      };
      refuseUnhonoured(services.voiceProviders.conversion(model).unhonoured({ ...said, voice: voice.voice }));
      const order = {
        model,
        voice,
        format,
        said,
        keptAs: query.enable_logging === 'true' ? query.output_format : null,
      };
      await runAudioCall(ctx, services, {
        sound: {
          file: form.files[0]!.content,
          model,
          unit: 'audio_seconds',
          removeNoise: input.remove_background_noise,
        },
        onBroken: () => void ctx.res.destroy(),
        work: (call) => convert(ctx, services, { call, order }),
      });
    } finally {
      await form.drop();
    }
  };
}

async function* measure(
  chunks: AsyncIterable<SpeechChunk>,
  format: AudioFormat,
  add: (ms: number) => void,
): AsyncGenerator<SpeechChunk> {
  for await (const chunk of chunks) {
    const { pcm, sampleRate, encoded } = chunk;
    add(encoded ? durationMsOf(format, encoded.length) : (pcm.length * 1000) / sampleRate);
    yield chunk;
  }
}

interface ConversionOrder {
  model: Model;
  voice: CallerVoice;
  format: AudioFormat;
  said: ConversionParameters;
  keptAs: string | null;
}

/** Converts into the answer, as the sound is made. */
async function convert(
  ctx: Context,
  services: Services,
  { call, order }: { call: AudioCall; order: ConversionOrder },
): Promise<void> {
  const { model, voice, format, said, keptAs } = order;
  const source = { ...said, audio: call.audio, voice: voice.voice, format: format.vendorName };
  const chunks = await started(services.voiceProviders.conversion(model).convert(source, call.abort));
  const id = newId('hist');
  ctx.respond = false;
  call.setHeaders();
  ctx.res.setHeader('content-type', format.mediaType);
  if (keptAs !== null) ctx.res.setHeader('history-item-id', id);
  const history = keptAs === null ? undefined : openHistory(services, { workspaceId: ctx.state.key.workspaceId, id });
  try {
    let soundMs = 0;
    const measured = measure(chunks, format, (ms) => (soundMs += ms));
    for await (const sound of soundIn(format, measured)) {
      call.sent(sound.length, soundMs);
      await history?.write(sound);
      await send(ctx.res, sound);
      if (call.abort.aborted) throw call.abort.reason;
    }
  } catch (error) {
    await history?.drop();
    throw error;
  }
  await call.settle();
  await history?.keep({
    requestId: ctx.state.requestId,
    source: 'STS',
    voice,
    modelId: model.id,
    text: '',
    characters: 0,
    contentType: format.mediaType,
    outputFormat: keptAs!,
    settings: said.settings ?? null,
  });
  ctx.res.end();
}
