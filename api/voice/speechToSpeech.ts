import { z } from 'zod';
import { durationMsOf, VOICE_FORMATS, type AudioFormat } from '../../calls/audio/formats.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import type { ConversionParameters, SpeechChunk } from '../../providers/speech.ts';
import { SMALL_BODY } from '../../base/limits.ts';
import { excessOfText } from '../../base/jsonShape.ts';
import { parseWith } from '../body/parseWith.ts';
import type { Context, Handler } from '../context.ts';
import { retryableForm } from '../replay/retryable.ts';
import type { Services } from '../services.ts';
import { runAudioCall, type AudioInput, type AudioWork } from '../../calls/sound/audioCall.ts';
import { type CallerVoice, resolveVoiceModel, voiceSettingsOf } from '../../calls/sound/callerVoice.ts';
import { soundAlone, soundTo } from '../sound/soundBody.ts';
import { SoundAnswer, type SoundFacts } from '../../calls/sound/soundAnswer.ts';
import { numberIn } from '../body/sentQuery.ts';
import { readSoundForm, booleanIn, soundOf, type SoundForm } from '../sound/soundForm.ts';
import {
  refuseUnsupportedParameter,
  type SoundQuery,
  othersIn,
  refused,
  refuseUnsupported,
  seed,
  VoiceSettingsBody,
} from './voiceSchema.ts';
import { voiceOfPath } from './textToSpeech.ts';

/** `POST /v1/speech-to-speech/{voice_id}` and `/stream`: converts speech to another voice. Billed by its decoded seconds. */
export function createConversion(services: Services): Handler<{ query: SoundQuery }> {
  return async (ctx) => {
    const { query } = ctx.state.input;
    const voice = await voiceOfPath(ctx, services);
    const form = await readSoundForm(ctx, services);
    try {
      await retryableForm(ctx, services, form, () => convert(ctx, services, { query, voice, form }), 'bytes');
    } finally {
      await form.drop();
    }
  };
}

async function convert(
  ctx: Context,
  services: Services,
  { query, voice, form }: { query: SoundQuery; voice: CallerVoice; form: SoundForm },
): Promise<void> {
  const input = parseConversionForm(form);
  const model = resolveVoiceModel(ctx.state, services, { name: input.model_id, kind: 'conversion', param: 'model_id' });
  const format = VOICE_FORMATS.get(query.output_format)!;
  const said: ConversionParameters = {
    seed: input.seed,
    settings: voiceSettingsOf(voice, input.voice_settings).settings,
    // The voice's speed applies to speech from text. Converted speech keeps its tempo unless the request sets a speed.
    speed: input.voice_settings?.speed ?? undefined,
    latency: query.optimize_streaming_latency,
    others: otherConversionFields(input),
  };
  refuseUnsupportedParameter(services.voiceProviders.conversion(model).unsupported({ ...said, voice: voice.voice }));
  const keptAs = query.enable_logging ? query.output_format : null;
  const sound = {
    file: form.files[0]!.content,
    model,
    unit: 'audio_seconds' as const,
    part: 'audio',
    removeNoise: input.remove_background_noise,
  };
  const work = new Conversion(services, { model, askedModel: input.model_id, voice, format, said });
  const sink = soundTo(ctx, soundAlone(format.mediaType));
  const to = new SoundAnswer(ctx.state, services, { format, sink, keptAs });
  await runAudioCall(ctx.state, services, { sound, work, to });
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
  askedModel: string | undefined;
  voice: CallerVoice;
  format: AudioFormat;
  said: ConversionParameters;
}

/** Converts into the answer as the audio is produced. */
class Conversion implements AudioWork<SoundFacts, SoundAnswer> {
  reachedMs = 0;
  readonly #services: Services;
  readonly #order: ConversionOrder;

  constructor(services: Services, order: ConversionOrder) {
    this.#services = services;
    this.#order = order;
  }

  async produce({ held, audio, ...priced }: AudioInput, abort: CallAbort, to: SoundAnswer): Promise<SoundFacts> {
    const { model, askedModel = null, voice, format, said } = this.#order;
    const source = { ...said, audio, voice: voice.voice, format: format.vendorName };
    const chunks = this.#services.voiceProviders.conversion(model).convert(held, source, abort);
    let madeMs = 0;
    const measured = measure(chunks, format, (ms) => (madeMs += ms));
    await to.send(measured, abort, { ...priced, onSend: () => (this.reachedMs = madeMs) });
    const settings = said.settings ?? null;
    return { source: 'STS', voice, modelId: model.id, askedModel, text: '', characters: 0, settings };
  }
}

const Fields = z.looseObject({
  model_id: z.string().min(1).max(256).optional(),
  voice_settings: VoiceSettingsBody.optional().describe('As JSON text.'),
  seed: seed.optional(),
  remove_background_noise: z.boolean().default(false),
});

/** The documented form. */
export const ConversionForm = Fields.extend({ audio: z.file() });

const checkFields = parseWith(Fields, 'body');

/** Fields that only some upstreams support. */
const otherConversionFields = (input: z.output<typeof Fields>) => {
  const { file_format: _, ...sent } = input;
  return othersIn(sent, Fields);
};

/** The validated fields of the form. Throws a 422 that names the invalid field, or the missing audio. */
function parseConversionForm(form: SoundForm): z.output<typeof Fields> {
  const { fields } = form;
  refuseUnsupported(
    fields,
    ['file_format'].filter((name) => fields[name] !== 'other'),
  );
  const input = checkFields({
    ...fields,
    voice_settings: jsonIn('voice_settings', fields.voice_settings),
    seed: numberIn(fields.seed),
    remove_background_noise: booleanIn(fields.remove_background_noise),
  });
  soundOf(form, 'audio');
  return input;
}

function jsonIn(name: string, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  if (excessOfText(Buffer.from(text), SMALL_BODY.valuesMax))
    throw refused(name, 'This JSON is nested too deeply or has too many members. Send less.');
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    throw refused(name, 'This is not valid JSON. Send a JSON object as text.');
  }
}
