import { VOICE_FORMATS, type AudioFormat } from '../../calls/audio/formats.ts';
import type { SpeechParameters, SpokenSpan } from '../../providers/speech.ts';
import type { Context, Handler } from '../context.ts';
import { withContent, type Recording } from '../contents/recordContent.ts';
import { recordedSound } from '../contents/recordedSound.ts';
import type { Services } from '../services.ts';
import {
  findCallerVoice,
  type CallerVoice,
  resolveSpeechModel,
  voiceSettingsOf,
} from '../../calls/sound/callerVoice.ts';
import { writeTo } from '../http/sse.ts';
import type { Marks } from '../../calls/sound/soundAnswer.ts';
import { aliveBy, soundAlone, soundTo, type SoundBody, writeLive } from '../sound/soundBody.ts';
import { runSpeechCall } from '../../calls/sound/speechCall.ts';
import { voiceNotFound } from './presentVoice.ts';
import { refuseUnsupportedParameter, othersIn, SpeechBody, type SoundQuery } from './voiceSchema.ts';
import type { TimedSpeech } from './voiceAnswers.ts';
import type { z } from 'zod';

/** The answer's format. */
type Form = 'sound' | 'json' | 'lines';

/** `POST /v1/text-to-speech/{voice_id}` and its three other forms. All of them send audio while it is produced. */
export function createVoiceSpeech(services: Services, form: Form): Handler<SpeechBody & { query: SoundQuery }> {
  return (ctx) => {
    const { input, params } = ctx.state;
    const request = () => ({ voice_id: params.voice_id, ...input });
    return withContent(ctx, services, request, (recording) => speak(ctx, recording));
  };

  async function speak(ctx: Context<SpeechBody & { query: SoundQuery }>, recording?: Recording): Promise<void> {
    const { query, ...body } = ctx.state.input;
    const voice = await voiceOfPath(ctx, services);
    const model = resolveSpeechModel(ctx.state, services, { name: body.model_id, voice, param: 'model_id' });
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
    const given = { ...said, text: body.text, voice: voice.voice };
    refuseUnsupportedParameter(services.voiceProviders.speech(model).unsupported(given));
    const manner = { ...said, marks: form !== 'sound' };
    const keptAs = query.enable_logging ? query.output_format : null;
    const order = { model, askedModel: body.model_id, voice, text: body.text, format, manner, keptAs };
    const to = recordedSound(soundTo(ctx, bodyOf(form, format)), format.mediaType, recording);
    await runSpeechCall(ctx.state, services, { order, sink: to });
  }
}

function bodyOf(form: Form, { mediaType }: AudioFormat): SoundBody {
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

/** The voice in the path. Throws 404 `voice_not_found`. */
export async function voiceOfPath(ctx: Context, services: Services): Promise<CallerVoice> {
  const id = ctx.state.params.voice_id!;
  const voice = await findCallerVoice(services, ctx.state.key.workspaceId, id);
  if (!voice) throw voiceNotFound(id);
  return voice;
}

/** One JSON object, written in pieces, so that long speech is never entirely in memory. */
function soundWithTimes(): SoundBody {
  const all: Marks[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let hasBegun = false;
  return {
    mediaType: 'application/json; charset=utf-8',
    isUsableInPart: false,
    write: (res, sound, marks) => {
      all.push(...marks);
      const bytes = Buffer.concat([rest, sound]);
      // Base64 pieces can be concatenated after every third byte.
      const length = bytes.length - (bytes.length % 3);
      rest = bytes.subarray(length);
      const text = bytes.toString('base64', 0, length);
      const beginning = hasBegun ? '' : '{"audio_base64":"';
      hasBegun = true;
      return writeTo(res, beginning + text);
    },
    end: (res) => void res.end(`${rest.toString('base64')}",${JSON.stringify(timesOf(all)).slice(1)}`),
    fail: (res) => void res.destroy(),
  };
}

/** JSON lines, each with a piece of audio and the times of its characters. */
function soundInLines(): SoundBody {
  return {
    mediaType: 'application/jsonl; charset=utf-8',
    isUsableInPart: true,
    // ElevenLabs' clients for Python and Node skip empty lines.
    keepAlive: aliveBy('\n'),
    write: (res, sound, marks) => writeLive(res, `${JSON.stringify(timedSpeech(sound, marks))}\n`),
    end: (res) => void res.end(),
    fail: (res) => void res.destroy(),
  };
}

const timedSpeech = (sound: Buffer, marks: Marks[]): z.infer<typeof TimedSpeech> => ({
  audio_base64: sound.toString('base64'),
  ...timesOf(marks),
});

const timesOf = (marks: Marks[]) => ({
  alignment: alignmentOf(marks.flatMap(({ characters }) => characters)),
  normalized_alignment: alignmentOf(marks.flatMap(({ normalized }) => normalized)),
});

/** Characters and their times in ElevenLabs' form; null when the engine does not report them. */
function alignmentOf(spans: SpokenSpan[]): z.infer<typeof TimedSpeech>['alignment'] {
  if (spans.length === 0) return null;
  return {
    characters: spans.map(({ text }) => text),
    character_start_times_seconds: spans.map((span: SpokenSpan) => secondsOf(span.startMs)),
    character_end_times_seconds: spans.map((span: SpokenSpan) => secondsOf(span.endMs)),
  };
}

const secondsOf = (ms: number): number => Math.round(ms) / 1000;
