import type { Context, Handler } from '../../context.ts';
import type { Services } from '../../services.ts';
import { openSse } from '../../stream/sse.ts';
import { runAudioCall, type AudioCall } from '../../sound/audioCall.ts';
import { resolveVoiceModel } from '../../sound/resolveVoiceModel.ts';
import { readSoundForm } from '../../sound/soundForm.ts';
import { transcribe, wholeOf } from '../../sound/transcribe.ts';
import type { TranscriptionEvent, TranscriptionParameters } from '../../../providers/speech.ts';
import {
  otherFields,
  parseTranscription,
  TRANSCRIPTION_LISTS,
  type ParsedTranscription,
} from '../schema/transcription.ts';
import { refuseUnhonoured } from './refuseUnhonoured.ts';
import { logprobsOf, presentTranscript } from './presentTranscript.ts';

// All text types: some clients return a body with an application type as bytes.
const TEXT_TYPES: Record<string, string> = {
  text: 'text/plain; charset=utf-8',
  srt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
};

/** `POST /audio/transcriptions` and `/audio/translations`: the words of a recording, whole or streamed. Billed by its decoded minutes. */
export function createTranscription(services: Services, task: 'transcribe' | 'translate'): Handler {
  return async (ctx) => {
    const form = await readSoundForm(ctx, services, { lists: TRANSCRIPTION_LISTS });
    try {
      const input = parseTranscription(form);
      const model = resolveVoiceModel(ctx, services, { name: input.model, kind: 'transcription' });
      const options = optionsOf(input, task);
      refuseUnhonoured(services.voiceProviders.transcription(model).unhonoured(options));
      const answer = input.stream ? answerInEvents : answerWhole;
      await runAudioCall(ctx, services, {
        sound: { file: form.files[0]!.content, model, unit: 'audio_minutes' },
        work: (call) => answer(ctx, { call, input, task, events: transcribe(services, { call, model, options }) }),
        onBroken: (error) => void ctx.res.end(frame({ error: error.body })),
      });
    } finally {
      await form.drop();
    }
  };
}

function optionsOf(input: ParsedTranscription, task: 'transcribe' | 'translate'): TranscriptionParameters {
  const { language, prompt, temperature, response_format: format = 'json', chunking_strategy: chunking } = input;
  const isTimed = ['srt', 'vtt', 'verbose_json'].includes(format);
  const untimed = isTimed ? 'segments' : undefined;
  return {
    language,
    prompt: prompt || undefined,
    temperature,
    translate: task === 'translate' || undefined,
    // OpenAI's format reports words alone.
    audioEvents: false,
    times: input['timestamp_granularities[]']?.includes('word') ? 'words' : untimed,
    logprobs: input['include[]'] !== undefined || undefined,
    chunking,
    others: { dialect: 'openai', members: otherFields(input) },
  };
}

interface Work {
  call: AudioCall;
  input: ParsedTranscription;
  task: 'transcribe' | 'translate';
  events: AsyncIterable<TranscriptionEvent>;
}

async function answerWhole(ctx: Context, { call, input, task, events }: Work): Promise<void> {
  const transcript = await wholeOf(events);
  await call.settle();
  call.setHeaders();
  ctx.body = presentTranscript(transcript, { input, task, durationMs: call.durationMs });
  const type = TEXT_TYPES[input.response_format ?? 'json'];
  if (type) ctx.set('content-type', type);
}

const frame = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

async function answerInEvents(ctx: Context, { call, input, events }: Work): Promise<void> {
  const isSure = input['include[]'] !== undefined;
  let out: ReturnType<typeof openSse> | undefined;
  const open = () => {
    ctx.respond = false;
    call.setHeaders();
    return openSse(ctx.res, '');
  };
  let spoken = '';
  const {
    text,
    words,
    logprobs: told,
  } = await wholeOf(events, ({ segment, words: heard }) => {
    out ??= open();
    const delta = spoken === '' ? segment.text : ` ${segment.text}`;
    spoken += delta;
    const logprobs = isSure ? { logprobs: logprobsOf(heard) } : {};
    const event = frame({ type: 'transcript.text.delta', delta, ...logprobs });
    call.sent(event.length, segment.endMs);
    return out.write(event);
  });
  out ??= open();
  await call.settle();
  const logprobs = isSure ? { logprobs: told ?? logprobsOf(words) } : {};
  out.end(frame({ type: 'transcript.text.done', text, ...logprobs }));
}
