import { z } from 'zod';
import { TEXT_FORMATS } from '../../../calls/audio/formats.ts';
import type { Json } from '../../../providers/provider.ts';
import type { SpeechParameters } from '../../../providers/speech.ts';
import { countTokens } from '../../../providers/metering/tokens.ts';
import { presetVoices } from '../../../providers/voices.ts';
import type { Context, Handler } from '../../context.ts';
import { withContent, type Recording } from '../../contents/recordContent.ts';
import { recordedSound } from '../../contents/recordedSound.ts';
import { dataEvent, KEEP_ALIVE } from '../../http/sse.ts';
import type { Services } from '../../services.ts';
import {
  findCallerVoice,
  type CallerVoice,
  resolveSpeechModel,
  voiceSettingsOf,
} from '../../../calls/sound/callerVoice.ts';
import { aliveBy, soundAlone, soundTo, type SoundBody, writeLive } from '../../sound/soundBody.ts';
import type { KeptSpeech } from '../../../calls/sound/soundAnswer.ts';
import { runSpeechCall } from '../../../calls/sound/speechCall.ts';
import * as parameter from '../../../calls/text/parameters/parameters.ts';
import { refuseUnsupportedParameter } from '../../../calls/text/parameters/refusal.ts';
import { invalidValue } from '../../../base/errors/invalidRequest.ts';
import { bodyValidator } from '../../../calls/text/parameters/validateBody.ts';

/** `POST /audio/speech`: a text as audio, streamed as bytes or, with `stream_format: "sse"`, in events. */
export function createSpeech(services: Services): Handler<ParsedSpeech> {
  return (ctx) => {
    const { input } = ctx.state;
    return withContent(
      ctx,
      services,
      () => input,
      (recording) => speak(ctx, recording),
    );
  };

  async function speak(ctx: Context<ParsedSpeech>, recording: Recording | undefined): Promise<void> {
    const input = ctx.state.input;
    const voice = await findVoice(ctx, services, input.voice);
    const model = resolveSpeechModel(ctx.state, services, { name: input.model, voice });
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
    const given = { ...manner, text, voice: voice.voice };
    refuseUnsupportedParameter(services.voiceProviders.speech(model).unsupported(given));
    const order = {
      model,
      voice,
      text,
      format,
      // An upstream that has OpenAI's formats too sends the audio in its final form.
      manner: { ...manner, codec: format.codec },
      ...keptFor(ctx),
    };
    const sink = input.stream_format === 'sse' ? soundInEvents() : soundAlone(format.mediaType);
    const to = recordedSound(soundTo(ctx, sink), format.mediaType, recording);
    await runSpeechCall(ctx.state, services, { order, sink: to });
  }
}

/** OpenAI has no history of speech: it is kept for keys that keep what they call, and as long. */
function keptFor({ state: { key, input } }: Context<ParsedSpeech>): KeptSpeech {
  const { logDays } = key;
  return logDays === 0 ? { keptAs: null } : { keptAs: input.response_format ?? 'mp3', keptDays: logDays };
}

async function findVoice(ctx: Context, services: Services, sent: ParsedSpeech['voice']): Promise<CallerVoice> {
  const id = typeof sent === 'string' ? sent : sent.id;
  const voice = await findCallerVoice(services, ctx.state.key.workspaceId, id);
  if (voice) return voice;
  const names = presetVoices.map((preset) => `'${preset.id}'`).join(', ');
  throw invalidValue('voice', `Invalid value: '${id.slice(0, 100)}'. Supported values are: ${names}.`);
}

const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;

const TEXT_MAX = 4096;
const TOKEN_MS = 50;

/** Body of `POST /audio/speech`. */
export const SpeechInput = z.looseObject({
  model: parameter.model,
  input: z
    .string()
    .min(1)
    .max(TEXT_MAX)
    .describe(
      'The text to speak. The embedded voices speak English: a text with letters of other scripts is refused with `unsupported_language`, one with nothing to speak with `invalid_value`.',
    ),
  voice: z
    .union([z.string().min(1).max(256), parameter.closed({ id: z.string().min(1).max(256) })])
    .describe('A preset voice by its OpenAI or ElevenLabs name or id, or a cloned voice.'),
  response_format: z.enum(SPEECH_FORMATS).optional().describe('Default: `mp3`. `pcm` is 24 kHz, 16 bits, mono.'),
  speed: z.number().min(0.25).max(4).optional(),
  instructions: z
    .string()
    .max(TEXT_MAX)
    .optional()
    .describe('How to speak. The embedded voices refuse it: leave it out.'),
  stream_format: z.enum(['audio', 'sse']).optional(),
});

type ParsedSpeech = Json & z.input<typeof SpeechInput>;

/** Checks the body of `POST /audio/speech`; throws `InvalidRequest`. */
export const parseSpeech: (body: unknown) => ParsedSpeech = bodyValidator(SpeechInput, []);

export const SpeechEvent = z.union([
  z.object({ type: z.literal('speech.audio.delta'), audio: z.string().describe('Sound, in base64.') }),
  z.object({
    type: z.literal('speech.audio.done'),
    usage: z
      .object({
        input_tokens: z.int().describe('Tokens of the text, in o200k_base.'),
        output_tokens: z.int().describe('Of 50 ms of sound each.'),
        total_tokens: z.int(),
        input_characters: z.int().describe('What is billed.'),
      })
      .describe('Tokens as OpenAI counts them, and the billed characters.'),
  }),
]);

/** Speech in OpenAI's events: `speech.audio.delta` with audio in base64, and at the end `speech.audio.done`. */
function soundInEvents(): SoundBody {
  return {
    mediaType: 'text/event-stream; charset=utf-8',
    isUsableInPart: true,
    keepAlive: aliveBy(KEEP_ALIVE),
    write: (res, sound) => writeLive(res, speechEvent({ type: 'speech.audio.delta', audio: sound.toString('base64') })),
    end: async (res, { text, characters, durationMs }) => {
      const [input_tokens, output_tokens] = [await countTokens(text), Math.ceil(durationMs / TOKEN_MS)];
      const total_tokens = input_tokens + output_tokens;
      const usage = { input_tokens, output_tokens, total_tokens, input_characters: characters };
      res.end(speechEvent({ type: 'speech.audio.done', usage }));
    },
    fail: (res, error) => void res.end(dataEvent({ error })),
  };
}

const speechEvent = (event: z.infer<typeof SpeechEvent>): string => dataEvent(event);
