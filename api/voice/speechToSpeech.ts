import { durationMsOf, VOICE_FORMATS, type AudioFormat } from '../../audio/formats.ts';
import type { Model } from '../../db/catalog.ts';
import type { ConversionParameters, SpeechChunk } from '../../providers/speech.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import type { Context, Handler } from '../context.ts';
import type { ErrorBody } from '../errors/apiError.ts';
import type { CallerVoice } from '../sound/callerVoice.ts';
import { refuseUnhonoured } from './refuseUnhonoured.ts';
import { otherConversionFields, parseConversionForm } from './conversionForm.ts';
import type { Services } from '../services.ts';
import { runAudioCall, type AudioInput, type AudioWork } from '../sound/audioCall.ts';
import { resolveVoiceModel } from '../sound/resolveVoiceModel.ts';
import type { SoundQuery } from './schema.ts';
import { readSoundForm } from '../sound/soundForm.ts';
import { SoundAnswer } from '../sound/soundAnswer.ts';
import { soundAlone } from '../sound/soundSink.ts';
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
      const keptAs = query.enable_logging === 'true' ? query.output_format : null;
      const sound = {
        file: form.files[0]!.content,
        model,
        unit: 'audio_seconds' as const,
        removeNoise: input.remove_background_noise,
      };
      const work = new Conversion(ctx, services, { model, voice, format, said, keptAs });
      await runAudioCall(ctx, services, { sound, work });
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
class Conversion implements AudioWork {
  readonly #services: Services;
  readonly #order: ConversionOrder;
  readonly #sound: SoundAnswer;
  #reachedMs = 0;

  constructor(ctx: Context, services: Services, order: ConversionOrder) {
    const { format, keptAs } = order;
    this.#services = services;
    this.#order = order;
    this.#sound = new SoundAnswer(ctx, services, { format, sink: soundAlone(format.mediaType), keptAs });
  }

  get sent() {
    const { firstByteMs, bytes } = this.#sound;
    return { firstByteMs, bytes, reachedMs: this.#reachedMs };
  }

  async produce({ held, audio, headers }: AudioInput, abort: CallAbort): Promise<void> {
    const { model, voice, format, said } = this.#order;
    const source = { ...said, audio, voice: voice.voice, format: format.vendorName };
    const chunks = this.#services.voiceProviders.conversion(model).convert(held, source, abort);
    let madeMs = 0;
    const measured = measure(chunks, format, (ms) => (madeMs += ms));
    await this.#sound.send(measured, abort, { headers, onSend: () => (this.#reachedMs = madeMs) });
  }

  present(): Promise<void> {
    const { model, voice, said } = this.#order;
    const settings = said.settings ?? null;
    return this.#sound.end({ source: 'STS', voice, modelId: model.id, text: '', characters: 0, settings });
  }

  fail(error: ErrorBody): Promise<void> {
    return this.#sound.fail(error);
  }
}
